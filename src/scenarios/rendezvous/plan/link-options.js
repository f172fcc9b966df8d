import { linkTable } from '../../namespaces/link-table.js'

/** LINK_OPTIONS are what lies between server and clients. */
export const LINK_OPTIONS = linkTable('What is between them:', {
  joined: 'a network namespace for our server, 0, for each client, 1 and on, and for the probe',
  since: 'the measurement began'
})
