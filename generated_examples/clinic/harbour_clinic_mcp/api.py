"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ApiKey, Basic, OAuth2, ServerUrl

API = Api(
    env_prefix="HARBOUR_CLINIC",
    servers=[ServerUrl("https://api.clinic.example/v2")],
    security_schemes={
        "front_desk": Basic(
            username_env="HARBOUR_CLINIC_FRONT_DESK_USERNAME",
            password_env="HARBOUR_CLINIC_FRONT_DESK_PASSWORD",
        ),
        "ward_key": ApiKey("ward_key", location="query", env="HARBOUR_CLINIC_WARD_KEY"),
        "staff": OAuth2(
            env="HARBOUR_CLINIC_STAFF_TOKEN",
            refresh_token_env="HARBOUR_CLINIC_STAFF_REFRESH_TOKEN",
            client_id_env="HARBOUR_CLINIC_STAFF_CLIENT_ID",
            client_secret_env="HARBOUR_CLINIC_STAFF_CLIENT_SECRET",
            refresh_url="https://login.clinic.example/token",
        ),
        "machines": OAuth2(
            env="HARBOUR_CLINIC_MACHINES_TOKEN",
            client_id_env="HARBOUR_CLINIC_MACHINES_CLIENT_ID",
            client_secret_env="HARBOUR_CLINIC_MACHINES_CLIENT_SECRET",
            token_url="https://login.clinic.example/token",
        ),
    },
    security=[{"front_desk": []}],
)
