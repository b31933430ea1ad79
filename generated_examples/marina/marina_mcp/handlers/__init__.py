"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "get_berth": "http:get_berth",
    "list_berths": "http:list_berths",
    "book_berth": "http:book_berth",
    "replace_ship": "http:replace_ship",
    "cancel_booking": "http:cancel_booking",
    "upload_chart": "http:upload_chart",
    "log_entry": "http:log_entry",
    "radio": "http:radio",
    "tide_table": "http:tide_table",
    "search_ships": "http:search_ships",
}
