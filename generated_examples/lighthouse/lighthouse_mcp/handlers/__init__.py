"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "get_ship": "http:get_ship",
    "get_chart": "http:get_chart",
    "report_fog": "tools:report_fog",
    "sound_horn": "tools:sound_horn",
    "sweep": "tools:sweep",
}
