"""A rendezvous and perf peer made of py-libp2p. What it is told and answers: see ../../peer.js."""

import json
import logging
import sys

import multiaddr
import trio
from libp2p import new_host
from libp2p.crypto.ed25519 import create_new_key_pair
from libp2p.crypto.x25519 import create_new_key_pair as create_new_x25519_key_pair
from libp2p.discovery.rendezvous import RendezvousClient, RendezvousService
from libp2p.discovery.rendezvous.errors import RendezvousError
from libp2p.discovery.rendezvous.pb.rendezvous_pb2 import Message
from libp2p.peer.peerinfo import info_from_p2p_addr
from libp2p.perf import PROTOCOL_NAME, PerfService
from libp2p.security.noise.transport import PROTOCOL_ID, Transport

LISTEN = [multiaddr.Multiaddr("/ip4/127.0.0.1/tcp/0")]
TIMEOUT_SECONDS = 20
PERF_TIMEOUT_SECONDS = 50


def make_host():
    """A host with Noise, whose Ed25519 keys and records every implementation takes."""
    keys = create_new_key_pair()
    noise = Transport(
        libp2p_keypair=keys, noise_privkey=create_new_x25519_key_pair().private_key
    )
    return new_host(key_pair=keys, sec_opt={PROTOCOL_ID: noise})


def tell(answer):
    print(json.dumps(answer), flush=True)


def lines():
    return trio.wrap_file(sys.stdin)


async def serve():
    host = make_host()
    async with host.run(listen_addrs=LISTEN):
        RendezvousService(host)
        await serve_perf(host)
        tell({"address": str(host.get_addrs()[0])})
        async for _ in lines():
            pass


class CountedStream:
    """A stream that counts what the perf service reads and writes."""

    def __init__(self, stream):
        self.stream = stream
        self.received = self.sent = 0

    async def read(self, most=None):
        data = await self.stream.read(most)
        self.received += len(data)
        return data

    async def write(self, data):
        await self.stream.write(data)
        self.sent += len(data)

    def __getattr__(self, name):
        return getattr(self.stream, name)


async def serve_perf(host):
    service = PerfService(host)
    await service.start()

    async def counted(stream):
        counting = CountedStream(stream)
        await service._handle_message(counting)
        # the number that a request begins with is no payload
        tell({"received": counting.received - 8, "sent": counting.sent})

    host.set_stream_handler(PROTOCOL_NAME, counted)


async def ask_perf(host, address, question):
    reports = PerfService(host).measure_performance(address, question["up"], question["down"])
    async for report in reports:
        last = report
    return {"sent": last["upload_bytes"], "received": last["download_bytes"]}


async def ask(address):
    """Reads a question a line and answers each with a line; `as` names who asks, every one a peer of its own."""
    server = info_from_p2p_addr(multiaddr.Multiaddr(address))
    async with trio.open_nursery() as nursery:
        peers = {}
        async for line in lines():
            question = json.loads(line)
            who = question.get("as", 0)
            if who not in peers:
                peers[who] = await nursery.start(run_peer, server)
            tell(await answer_to(peers[who], server, address, question))
        nursery.cancel_scope.cancel()


async def run_peer(server, task_status=trio.TASK_STATUS_IGNORED):
    host = make_host()
    async with host.run(listen_addrs=LISTEN):
        await host.connect(server)
        task_status.started(host)
        await trio.sleep_forever()


async def answer_to(host, server, address, question):
    try:
        if question["op"] == "perf":
            with trio.fail_after(PERF_TIMEOUT_SECONDS):
                return await ask_perf(host, multiaddr.Multiaddr(address), question)
        with trio.fail_after(TIMEOUT_SECONDS):
            return await perform(host, RendezvousClient(host, server.peer_id), question)
    except RendezvousError as error:
        status = Message.ResponseStatus.Name(error.status)
        return {"error": status, "text": error.message}
    except ValueError as error:
        return {"error": "REFUSED_BY_CLIENT", "text": str(error)}
    except Exception as error:  # whatever else it was: no reply that could be read
        return {"error": "NO_REPLY", "text": repr(error)}


async def perform(host, client, question):
    ns = question.get("ns", "")
    match question["op"]:
        case "id":
            return {"peer": str(host.get_id())}
        case "register":
            ttl = {"ttl": question["ttl"]} if "ttl" in question else {}
            return {"ttl": await client.register(ns, **ttl)}
        case "unregister":
            await client.unregister(ns)
            return {}
        case "discover":
            limit = {"limit": question["limit"]} if "limit" in question else {}
            cookie = bytes.fromhex(question.get("cookie", ""))
            found, following = await client.discover(ns, cookie=cookie, **limit)
            return {"peers": [str(one.peer_id) for one in found], "cookie": following.hex()}
        case operation:
            raise ValueError(f"no such operation: {operation}")


def main(args):
    logging.disable()
    match args:
        case ["serve"]:
            trio.run(serve)
        case ["client", address]:
            trio.run(ask, address)
        case _:
            sys.exit("usage: peer.py serve | peer.py client <multiaddr>")


main(sys.argv[1:])
