// Encodes and parses the packet stream between the router and the process that holds the TUN devices. Reads packet
// headers, and counters of devices.
import { readFileSync } from 'node:fs'

/**
 * What goes between the router and what holds the namespaces (mux.pl): a time in ns, then a packet of IPv4, framed by its own length
 * (RFC 791). What begins with a 0 byte is no packet: on its way there a question, on its way back the answer.
 */
const STAMP_BYTES = 8
/** Up to where an IPv4 header says how long the packet is. */
const LENGTH_AT = 2
const HEAD_BYTES = STAMP_BYTES + 4
const SOURCE_AT = 12
const DESTINATION_AT = 16
/** 10.0.0.1 is the first node. */
const NETWORK = 0x0a00_0001
const HOST_BITS = 0xff_ffff

/** @param {Buffer} packet @param {number} at */
const namespaceAt = (packet, at) => ((packet.readUInt32BE(at) - NETWORK) & HOST_BITS) >>> 0

/** sourceNamespaceOf is the namespace that a packet comes from. @param {Buffer} packet */
export const sourceNamespaceOf = packet => namespaceAt(packet, SOURCE_AT)

/** destinationNamespaceOf is the one that it is for. @param {Buffer} packet */
export const destinationNamespaceOf = packet => namespaceAt(packet, DESTINATION_AT)

const PROTOCOL_AT = 9
const TCP = 6
const TCP_HEAD_BYTES = 20
/** In the header of TCP, whose length is in the upper half of its byte (RFC 9293). */
const HEAD_LENGTH_AT = 12
const FLAGS_AT = 13
/** Flags of TCP that say more than "so much has come" : SYN, FIN, RST. */
const MORE_THAN_ACK = 0b111
const WORD_BYTES = 4

/**
 * flowOf tells apart what keeps its order and what may overtake it: segments of other connections, by their ports, and acknowledgements
 * without data, for which no data wait. What is not TCP is a flow of its own.
 *
 * @param {Buffer} packet
 */
export function flowOf(packet) {
  const tcpAt = (packet[0] & 15) * WORD_BYTES
  if (packet[PROTOCOL_AT] !== TCP || packet.length < tcpAt + TCP_HEAD_BYTES) return 0
  const ports = packet.readUInt32BE(tcpAt)
  const dataAt = tcpAt + (packet[tcpAt + HEAD_LENGTH_AT] >> 4) * WORD_BYTES
  const isAcknowledgement =
    dataAt === packet.readUInt16BE(LENGTH_AT) && (packet[tcpAt + FLAGS_AT] & MORE_THAN_ACK) === 0
  return 2 * ports + (isAcknowledgement ? 1 : 0)
}

/** LATENESS_REQUEST asks how late packets were. */
export const LATENESS_REQUEST = Buffer.alloc(HEAD_BYTES)
LATENESS_REQUEST.writeUInt16BE(HEAD_BYTES - STAMP_BYTES, STAMP_BYTES + LENGTH_AT)

/** FrameParser takes what comes in pieces apart. */
export class FrameParser {
  /** @type {Buffer} */
  #rest = Buffer.alloc(0)

  /**
   * take gives the frames that are whole.
   *
   * @param {Buffer} chunk
   * @param {(stampNs: number, packet: Buffer) => void} onPacket
   * @param {(reportedNs: number, latenessMicros: number[]) => void} onAnswer
   */
  take(chunk, onPacket, onAnswer) {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= HEAD_BYTES) {
      const start = at + STAMP_BYTES
      const end = start + bytes.readUInt16BE(start + LENGTH_AT)
      if (end > bytes.length) break
      if (bytes[start] === 0) onAnswer(bytes.readDoubleLE(at), floatsIn(bytes.subarray(at + HEAD_BYTES, end)))
      else onPacket(bytes.readDoubleLE(at), bytes.subarray(start, end))
      at = end
    }
    this.#rest = bytes.subarray(at)
  }
}

/** @param {Buffer} bytes */
const floatsIn = bytes =>
  Array.from({ length: bytes.length / Float32Array.BYTES_PER_ELEMENT }, (_, i) =>
    bytes.readFloatLE(i * Float32Array.BYTES_PER_ELEMENT)
  )

/**
 * encodeFrames puts packets with their times into one piece.
 *
 * @param {readonly { atNs: number, packet: Buffer }[]} packets
 * @returns {Buffer}
 */
export function encodeFrames(packets) {
  const bytes = Buffer.allocUnsafe(packets.reduce((sum, { packet }) => sum + STAMP_BYTES + packet.length, 0))
  let at = 0
  for (const { atNs, packet } of packets) {
    at = bytes.writeDoubleLE(atNs, at)
    at += packet.copy(bytes, at)
  }
  return bytes
}

/**
 * @typedef {object} DeviceCounts - of the device of a namespace since it is there, by the kernel
 * @property {number} sent - packets
 * @property {number} dropped - that nobody took in time
 * @property {number} received
 * @property {number} receivedBytes
 * @property {number} sentBytes
 */

/** A TUN device of ours, or what a container engine gives. */
const DEVICE = /^\s*(tun0|eth0):/

/** readDeviceCounts reads those of the namespace that a process is in, see proc_pid_net(5). @param {number | 'self'} [pid] @returns {DeviceCounts} */
export function readDeviceCounts(pid = 'self') {
  const line = readFileSync(`/proc/${pid}/net/dev`, 'latin1')
    .split('\n')
    .find(text => DEVICE.test(text))
  const [receivedBytes, received, , , , , , , sentBytes, sent, , dropped] = String(line)
    .split(':')[1]
    .trim()
    .split(/\s+/)
    .map(Number)
  return { sent, dropped, received, receivedBytes, sentBytes }
}

/** readSentIPv6 reads how many of the packets sent are of IPv6: the kernel looks for routers of it. @returns {number} */
export function readSentIPv6() {
  try {
    return Number(/^Ip6OutRequests\s+(\d+)/m.exec(readFileSync('/proc/self/net/snmp6', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
