"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "listLoans": "loans:list_loans",
    "lend": "loans:lend",
    "getLoan": "loans:get_loan",
    "renewLoan": "loans:renew_loan",
    "getReader": "readers:get_reader",
    "addReader": "readers:add_reader",
    "deskLoans": "loans:desk_loans",
}
