"""The API behind the tools: where it is, and how to sign in."""

from ._runtime import Api, ApiKey, ServerUrl

API = Api(
    env_prefix="WEATHER_ARCHIVE",
    servers=[ServerUrl("https://archive.weather.example/v3")],
    security_schemes={
        "Authorization": ApiKey("Authorization", location="header", env="WEATHER_ARCHIVE_API_KEY")
    },
    refusals={
        "pathMatrixExploded": {"area": {"station": "station", "sensors": "sensors"}},
        "queryForm": {
            "area": {
                "station": "station",
                "sensors": "sensors",
                "hourly": "hourly",
                "above": "above",
            }
        },
    },
)
