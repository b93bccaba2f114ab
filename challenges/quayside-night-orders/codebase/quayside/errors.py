"""Refusals. The routes turn them into answers."""


class ApiError(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def invalid(message):
    return ApiError(422, "invalid", message)


def bad_query(message):
    return ApiError(400, "bad_query", message)


def not_found(what):
    return ApiError(404, "not_found", f"no such {what}")
