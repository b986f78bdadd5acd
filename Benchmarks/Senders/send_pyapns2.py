"""Sends one notification to each token with PyAPNs2 (apns2 on PyPI), as its README sends a batch.

Only the server's address differs. The environment variable SSL_CERT_FILE names the certificate of the simulator.
"""

from apns2.client import APNsClient, Notification
from apns2.credentials import TokenCredentials
from apns2.payload import Payload, PayloadAlert

import arguments
import message

options = arguments.parse()


class SimulatorClient(APNsClient):
    LIVE_SERVER = options.host
    DEFAULT_PORT = options.port


credentials = TokenCredentials(auth_key_path=options.key, auth_key_id=options.key_id, team_id=options.team_id)
client = SimulatorClient(credentials=credentials, use_sandbox=False)
payload = Payload(alert=PayloadAlert(title=message.TITLE, body=message.BODY))
notifications = [Notification(token=token, payload=payload) for token in options.tokens]
results = client.send_notification_batch(notifications=notifications, topic=options.topic)
reported = sum(1 for result in results.values() if result == "Success")
print(f"{reported} of {len(results)} reported as sent")
