import '../harness.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { readServerOptions } from '../../../src/server/options.js'
import { runServer } from '../../../src/server/process/run-server.js'

it('a database that is not there is named, without its password, whatever is in that', async () => {
  const listen = '/ip4/127.0.0.1/tcp/0'
  const store = 'postgres://somebody:sec@ret@127.0.0.1:1/nothing'
  await assert.rejects(
    runServer(readServerOptions({ listen, httpPort: 0, store }), { log: pino({ level: 'silent' }) }),
    error => {
      const { code, message } = /** @type {Error & { code: string }} */ (error)
      assert.equal(code, 'CANNOT_OPEN_STORE')
      assert.match(message, /somebody:\*\*\*@127.0.0.1:1\/nothing cannot be opened: .*ECONNREFUSED/)
      return true
    }
  )
})

describe('--store', () => {
  for (const [flags, problem] of /** @type {const} */ ([
    [
      { store: 'mysql://x' },
      '--store mysql://x must be memory or postgres://user@host/database, which docs/server.md says how to start'
    ],
    [
      { store: 'pglite:registrations' },
      '--store pglite:registrations must be memory or postgres://user@host/database, which docs/server.md says how to start'
    ],
    [
      { store: 'postgres://u:sec/ret@db/x' },
      '--store postgres://u:***@db/x must be memory or postgres://user@host/database, which docs/server.md says how to start'
    ],
    [
      { store: 'postgres://' },
      '--store postgres:// must be memory or postgres://user@host/database, which docs/server.md says how to start'
    ],
    [
      { store: 'postgres://db/x', maxStoreBytes: '1gb' },
      '--limits maxStoreBytes 1000000000 applies to --store memory only: a database is limited by its disk'
    ],
    [
      { store: 'postgres://db/x', maxNamespaceLength: '4096' },
      '--limits maxNamespaceLength 4096 must be at most 2048 with a store other than memory'
    ]
  ]))
    it(`is refused: ${Object.values(flags).join(', ')}`, () => {
      assert.throws(() => readServerOptions(flags), { message: problem })
    })
})
