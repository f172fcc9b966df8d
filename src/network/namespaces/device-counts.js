import { readFileSync } from 'node:fs'

/**
 * @typedef {object} DeviceCounts - of the device of a namespace since it is there, by the kernel
 * @property {number} sent - packets of IPv4
 * @property {number} dropped - that nobody took in time
 * @property {number} received
 * @property {number} receivedBytes
 */

/** deviceCounts reads those of the namespace that this process is in, see proc_pid_net(5). @returns {DeviceCounts} */
export function deviceCounts() {
  const line = readFileSync('/proc/self/net/dev', 'latin1')
    .split('\n')
    .find(text => text.trim().startsWith('tun0:'))
  const [receivedBytes, received, , , , , , , , packets, , dropped] = String(line)
    .split(':')[1]
    .trim()
    .split(/\s+/)
    .map(Number)
  // the kernel looks for routers of IPv6, and is not heard
  return { sent: packets - sentOfIPv6(), dropped, received, receivedBytes }
}

function sentOfIPv6() {
  try {
    return Number(/^Ip6OutRequests\s+(\d+)/m.exec(readFileSync('/proc/self/net/snmp6', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
