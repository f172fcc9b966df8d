import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** @typedef {{ ms: number, type: 'REGISTER' | 'DISCOVER' }} Operation - time between its packets in which the client had nothing to do */

/** The capture needs so long until it sees packets, and to write down the last ones. */
const SETTLE_MS = 500
/**
 * Bytes of TCP payload, encrypted. The end of a stream takes 42 bytes and is answered with 30, the answer to a negotiation has 81, and a REGISTER
 * carries a signed record.
 */
const SIZES = { request: 45, reply: 35, negotiation: { min: 70, max: 120 }, register: 200 }

const run = promisify(execFile)

/**
 * capturePackets captures the packets between clients and a server on this machine with their kernel times (tcpdump, on the loopback device).
 * What is neither of the client's process nor of the server's sees them: these times are the truth for both.
 *
 * @param {string} address - multiaddr of the server
 * @returns {Promise<() => Promise<Operation[]>>} ends the capture
 */
export async function capturePackets(address) {
  const port = address.split('/')[4]
  const folder = await mkdtemp(join(tmpdir(), 'bench-packets-'))
  const file = join(folder, 'lo.pcap')
  const args = ['-i', 'lo', '-s', '96', '-B', '65536', '-w', file, `tcp port ${port}`]
  const capture = spawn('tcpdump', args, { stdio: 'ignore' })
  await once(capture, 'spawn')
  await sleep(SETTLE_MS)
  return async () => {
    await sleep(SETTLE_MS)
    const ended = once(capture, 'exit')
    capture.kill('SIGINT')
    await ended
    try {
      const { stdout } = await run('tcpdump', ['-r', file, '-tt', '-n', '-q'], { maxBuffer: 2 ** 30 })
      return operationsIn(stdout, port)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

/**
 * An operation on a stream of its own has a negotiation and a request, each with an answer. Where packets of two operations of one connection mix,
 * neither is taken.
 *
 * @param {string} text - of tcpdump, a line for each packet
 * @param {string} port - of the server
 * @returns {Operation[]}
 */
function operationsIn(text, port) {
  /** @type {Operation[]} */
  const operations = []
  /** @type {Map<string, { sentMs: number, sentBytes: number, negotiatedMs: number | null }>} by the port of the client */
  const open = new Map()
  for (const [, seconds, from, to, size] of text.matchAll(
    /^([\d.]+) IP \S+\.(\d+) > \S+\.(\d+): tcp (\d+)/gm
  )) {
    const [bytes, atMs] = [Number(size), 1000 * Number(seconds)]
    if (bytes < (to === port ? SIZES.request : SIZES.reply)) continue
    const client = to === port ? from : to
    const state = open.get(client)
    if (to === port) {
      const negotiatedMs = state?.sentMs === 0 ? state.negotiatedMs : null
      open.set(client, { sentMs: atMs, sentBytes: bytes, negotiatedMs })
    } else if (state !== undefined && state.sentMs > 0) {
      const ms = atMs - state.sentMs
      if (bytes >= SIZES.negotiation.min && bytes <= SIZES.negotiation.max)
        open.set(client, { sentMs: 0, sentBytes: 0, negotiatedMs: ms })
      else {
        const type = state.sentBytes >= SIZES.register ? 'REGISTER' : 'DISCOVER'
        if (state.negotiatedMs !== null) operations.push({ ms: state.negotiatedMs + ms, type })
        open.delete(client)
      }
    }
  }
  return operations
}
