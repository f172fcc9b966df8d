/**
 * @typedef {[dialer: number, listener: number]} Edge - one connection of the network; nodes are numbered from 0
 */
export {}
