import { readFileSync } from 'node:fs'

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

/** deviceCounts reads those of the namespace that a process is in, see proc_pid_net(5). @param {number | 'self'} [pid] @returns {DeviceCounts} */
export function deviceCounts(pid = 'self') {
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

/** sentOfIPv6 reads how many of the packets sent are of IPv6: the kernel looks for routers of it. @returns {number} */
export function sentOfIPv6() {
  try {
    return Number(/^Ip6OutRequests\s+(\d+)/m.exec(readFileSync('/proc/self/net/snmp6', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
