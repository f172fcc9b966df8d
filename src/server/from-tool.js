import { isIP } from 'node:net'

/**
 * isFromTool says whether a request comes from a program rather than from a page in a browser. Pages cannot leave out or choose
 * these headers: a page elsewhere sends its Origin or Sec-Fetch-Site, and one whose name was made to point here (DNS
 * rebinding) sends that name as Host.
 *
 * @param {Pick<import('node:http').IncomingMessage, 'headers'>} request
 * @param {string} name - of the host that is asked, with or without port
 * @param {string} listensOn - name or address that the server listens on
 */
export function isFromTool({ headers }, name, listensOn) {
  const host = name
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  const known = isIP(host) > 0 || host === 'localhost' || (host !== '' && host === listensOn.toLowerCase())
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return known && origin === undefined && site === 'none'
}
