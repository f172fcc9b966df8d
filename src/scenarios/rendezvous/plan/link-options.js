import { clientLinks, linkTable } from '../../namespaces/link-table.js'

const GROUP = 'What is between them:'

const { network, linkLoss } = linkTable(
  GROUP,
  'a network namespace for our server, 0, and for each client, 1 and on'
)

/** LINK_OPTIONS are what lies between server and clients. */
export const LINK_OPTIONS = {
  network,
  linkLoss,
  ...clientLinks(GROUP)
}
