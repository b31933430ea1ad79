"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "searchStars": "stars:search_stars",
    "listStars": "stars:list_stars",
    "copyStars": "stars:copy_stars",
    "findStars": "stars:find_stars",
    "myStars": "stars:my_stars",
    "linkStar": "stars:link_star",
    "readObservations": "streams:read_observations",
    "sendObservations": "streams:send_observations",
    "readAlerts": "streams:read_alerts",
    "readPlates": "streams:read_plates",
}
