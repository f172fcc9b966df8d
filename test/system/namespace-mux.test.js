import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import {
  describeNamespaceProblem,
  makeEnterCommand,
  Namespaces,
  namespaceAddress
} from '../../src/network/namespaces.js'

const run = promisify(execFile)
const UDP = 17
/** Times are told in floats of µs. */
const ROUNDED_NS = 1e3
const SENDS = `require('node:dgram').createSocket('udp4').send('a', 9, '${namespaceAddress(1)}', () => process.exit())`

/** What its node takes for nothing: UDP that is cut short. */
function nothing() {
  const packet = Buffer.alloc(24)
  packet[0] = 0x45
  packet.writeUInt16BE(packet.length, 2)
  packet[9] = UDP
  packet.set(namespaceAddress(0).split('.').map(Number), 12)
  packet.set(namespaceAddress(1).split('.').map(Number), 16)
  return packet
}

const nowNs = () => Number(process.hrtime.bigint())

test('a packet is stamped before what is due at the same time is handed over', {
  skip: describeNamespaceProblem() ?? false
}, async () => {
  const [sent, told] = [Promise.withResolvers(), Promise.withResolvers()]
  const namespaces = new Namespaces(
    { namespaces: 2, congestion: 'host' },
    {
      onPacket: (stampNs, packet) => packet[9] === UDP && sent.resolve(stampNs),
      onChunk: () => {},
      onAnswer: (_, micros) => micros.length > 0 && told.resolve(micros),
      onDied: error => told.reject(error)
    }
  )
  try {
    const held = await namespaces.open()
    process.kill(held.pid, 'SIGSTOP')
    const [command, ...enter] = makeEnterCommand(held, 0)
    await run(command, [...enter, process.execPath, '-e', SENDS])
    const dueNs = nowNs()
    namespaces.deliver(Array.from({ length: 1000 }, () => ({ atNs: dueNs, packet: nothing() })))
    process.kill(held.pid, 'SIGCONT')
    const stampNs = Number(await sent.promise)
    namespaces.ask()
    const late = /** @type {number[]} */ (await told.promise)
    assert.equal(late.length, 1000)
    assert.ok(stampNs <= dueNs + 1e3 * late[0] + ROUNDED_NS, 'it waited for others to be handed over')
  } finally {
    namespaces.close()
  }
})
