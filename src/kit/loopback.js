/** isLoopbackHost says whether a name or an address is this machine's. @param {string} host - an IPv6 address with or without brackets */
export function isLoopbackHost(host) {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d+){3}$/.test(bare)
}
