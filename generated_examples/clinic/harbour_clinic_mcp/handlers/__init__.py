"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "findAppointments": "appointments:find_appointments",
    "bookAppointment": "appointments:book_appointment",
    "freeRooms": "appointments:free_rooms",
    "getPatient": "patients:get_patient",
    "recordConsent": "patients:record_consent",
    "fileDocument": "patients:file_document",
    "readDocument": "patients:read_document",
    "getResult": "laboratory:get_result",
    "enterResult": "laboratory:enter_result",
    "health": "health:health",
}
