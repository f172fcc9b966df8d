import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveLocally } from '../../src/cli/outputs.js'

describe('what is served on this machine while a command goes on', () => {
  test('needs a port that is free', async t => {
    const first = await serveLocally({ flag: '--dashboard', port: 0 }, {})
    assert.ok('url' in first)
    t.after(() => first.stop())
    const port = Number(new URL(first.url).port)
    const second = await serveLocally({ flag: '--dashboard', port }, {})
    assert.ok('problem' in second)
    assert.deepEqual([second.problem.flag, second.problem.value], ['--dashboard', String(port)])
    assert.match(second.problem.allowed, /^is in use on 127\.0\.0\.1: choose another port/)
  })

  test('says what the system has against any other', async () => {
    const served = await serveLocally({ flag: '--prometheus', port: 70_000 }, {})
    assert.ok('problem' in served)
    assert.match(served.problem.allowed, /^cannot be listened on: .*70000/)
  })
})
