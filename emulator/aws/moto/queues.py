"""Long polls of queues, where moto 5.2.5 waits in the call: one request runs at a time, so all others would wait too."""

import time

from moto.sqs.models import SQSBackend

BETWEEN_POLLS_SECONDS = 0.5
receive_message = SQSBackend.receive_message


def receive_what_is_there(self, queue_name, count, wait_seconds_timeout, *others):
    return receive_message(self, queue_name, count, 0, *others)


def wait_between_polls(environ):
    """Takes the time of a poll once other requests may run: pollers ask again at once."""
    if environ.get("HTTP_X_AMZ_TARGET") == "AmazonSQS.ReceiveMessage":
        time.sleep(BETWEEN_POLLS_SECONDS)


SQSBackend.receive_message = receive_what_is_there
