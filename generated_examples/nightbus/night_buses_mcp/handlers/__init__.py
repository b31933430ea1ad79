"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "listLines": "lines:list_lines",
    "getStop": "lines:get_stop",
    "moveStop": "lines:move_stop",
    "nextDepartures": "departures:next_departures",
    "getDeparture": "departures:get_departure",
    "reportDelay": "departures:tell_of_delay",
}
