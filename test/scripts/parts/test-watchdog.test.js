import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'

const WATCHDOG = '../../../scripts/parts/test-watchdog.js'
const MINUTE = 60_000
let loaded = 0

/** What becomes of a process of this name that goes on for so long, with the watchdog loaded. @param {string} name @param {number} ms */
async function after(name, ms) {
  const [, own] = process.argv
  const exit = mock.method(process, 'exit', () => {})
  const error = mock.method(console, 'error', () => {})
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    process.argv[1] = name
    await import(`${WATCHDOG}?${++loaded}`)
    mock.timers.tick(ms)
    return {
      exits: exit.mock.calls.map(({ arguments: [code] }) => code),
      // Node says there, too, that made-up timers are experimental
      said: error.mock.calls
        .map(({ arguments: [text] }) => String(text))
        .filter(text => text.includes('does not end'))
    }
  } finally {
    process.argv[1] = own
    mock.timers.reset()
    mock.restoreAll()
  }
}

describe('a process of tests', () => {
  test('that does not end in more than an hour is ended, fails, and says what is still open', async () => {
    const { exits, said } = await after('/x/a.test.js', 65 * MINUTE)
    assert.deepEqual(exits, [1])
    assert.equal(said.length, 1)
    assert.match(said[0], /^\/x\/a\.test\.js does not end: after 65 min there is still \w+/)
  })

  test('is left alone for an hour', async () =>
    assert.deepEqual(await after('/x/a.test.mjs', 60 * MINUTE), { exits: [], said: [] }))

  test('is alone watched: neither the runner of the tests nor a worker is', async () => {
    for (const name of ['/x/worker.js', '/x/a.test.js/runner.js'])
      assert.deepEqual(await after(name, 100 * MINUTE), { exits: [], said: [] })
  })
})
