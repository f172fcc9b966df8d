import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { afterRouter, niceOf } from '../../../src/network/namespaces.js'

const run = promisify(execFile)

describe('nodes beside a router', () => {
  it('have the share of one process together', () => {
    // 1024 / 1.25^nice is the weight of each, sched(7)
    for (const nodes of [1, 2, 8, 24, 60])
      assert.ok(Math.abs((nodes * 1024) / 1.25 ** niceOf(nodes) / 1024 - 1) < 0.15, `${nodes} nodes`)
  })

  it('are as nice as can be when they are many', () => assert.equal(niceOf(1000), 19))

  it('become what they are to be, arguments as they are', async () => {
    const [command, ...args] = [...afterRouter(8), 'node', '-p', 'process.argv[1]', 'a b "c" $d']
    assert.equal((await run(command, args)).stdout, 'a b "c" $d\n')
  })

  it('are nice, and their session is', {
    skip: !existsSync('/proc/self/autogroup') && 'no autogroups here'
  }, async () => {
    const told = 'require("fs").readFileSync("/proc/self/autogroup", "latin1") + os.getPriority()'
    // a session of its own, as each node has
    const { stdout } = await run('setsid', ['-w', ...afterRouter(30), 'node', '-p', told])
    assert.match(stdout, /nice 15\n15\n$/)
  })
})
