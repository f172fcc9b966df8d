import { linkTable } from '../../namespaces/link-table.js'

/** LINK_OPTIONS are what lies between server and clients. */
export const LINK_OPTIONS = linkTable('What is between them:', {
  joined: 'a network namespace for our server, 0, and for each client, 1 and on',
  since: 'the measurement began'
})
