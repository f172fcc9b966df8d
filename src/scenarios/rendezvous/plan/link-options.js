import { linkTable } from '../../namespaces/link-table.js'

const { network, ...links } = linkTable('What is between them:', {
  joined: 'a network namespace for our server, 0, and for each client, 1 and on',
  since: 'the measurement began'
})

/** LINK_OPTIONS are what lies between server and clients. */
export const LINK_OPTIONS = {
  network: {
    ...network,
    notIn: { 'capacity --run': 'its servers share a database, which is outside of network namespaces' }
  },
  ...links
}
