"""Sends one notification to each token with aioapns, as its README does; only the server's address differs.

The environment variable SSL_CERT_FILE names the certificate of the simulator.
"""

import asyncio

from aioapns import APNs, NotificationRequest, PushType

import arguments
import message


async def run(options):
    with open(options.key) as file:
        client = APNs(key=file.read(), key_id=options.key_id, team_id=options.team_id, topic=options.topic)
    apple = client.pool.protocol_class
    client.pool.protocol_class = type(
        "Simulator", (apple,), {"APNS_SERVER": options.host, "APNS_PORT": options.port}
    )

    async def send(token):
        request = NotificationRequest(
            device_token=token,
            message={"aps": {"alert": {"title": message.TITLE, "body": message.BODY}}},
            push_type=PushType.ALERT,
        )
        return await client.send_notification(request)

    results = await asyncio.gather(*(send(token) for token in options.tokens), return_exceptions=True)
    reported = sum(1 for result in results if getattr(result, "is_successful", False))
    print(f"{reported} of {len(results)} reported as sent")


asyncio.run(run(arguments.parse()))
