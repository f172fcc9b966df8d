/**
 * NO_PINGS keeps what libp2p sends by itself out of a network that is measured. Yamux pings each connection every 30 s from both ends: of 95
 * nodes with 4,465 connections that was two fifths of the packets, and a fifth of the work. The first ping of a connection is sent: by its
 * round trip windows grow.
 *
 * @type {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>}
 */
export const NO_PINGS = {
  'connectionMonitor.enabled': { value: false, why: 'no pings beside the measured traffic' },
  'yamux.keepAliveInterval': {
    value: 3_600_000,
    why: 'no pings beside the measured traffic but the first of a connection, by which windows grow'
  }
}
