import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import { promisify } from 'node:util'
import { lowPriorityCommand, niceLevelOf, tryImpairmentMethods } from '../../src/network/namespaces.js'

const HELD = { pid: 42, descriptors: [7] }

/** A kernel of which some commands are refused. @param {RegExp} without @param {string[][]} [asked] - is told them */
const kernel =
  (without, asked = []) =>
  (/** @type {readonly string[]} */ command) => {
    asked.push([...command])
    return without.test(command.join(' ')) ? 'Error: not here.' : null
  }

/** @param {RegExp} without */
const lacking = without => tryImpairmentMethods(HELD, kernel(without)).map(({ step, lacks }) => [step, lacks])

describe('the ladder of what could make impairments', () => {
  test('is tried in a namespace of the run that nobody uses', () => {
    /** @type {string[][]} */
    const asked = []
    tryImpairmentMethods(HELD, kernel(/none/, asked))
    assert.ok(asked.length >= 4)
    for (const command of asked)
      assert.match(command.join(' '), /^setpriv --pdeathsig KILL nsenter -t 42 -U --preserve-credentials -n /)
  })

  test('without netem says so', () =>
    assert.deepEqual(lacking(/netem/), [
      ['netem', 'Error: not here.'],
      ['rules', null],
      ['router', null]
    ]))

  for (const part of [/ nft /, / tbf /, /gso_max_segs/])
    test(`has rules only with all their parts, ${part} too`, () =>
      assert.deepEqual(lacking(part)[1], ['rules', 'Error: not here.']))

  test('takes the router, and says why what works above it is passed over', () => {
    const rungs = tryImpairmentMethods(HELD, kernel(/none/))
    assert.deepEqual(rungs.at(-1), { step: 'router', lacks: null, passedOver: null })
    for (const { lacks, passedOver } of rungs.slice(0, -1)) {
      assert.equal(lacks, null)
      assert.match(String(passedOver), /router|latency/)
    }
  })
})

const run = promisify(execFile)

describe('nodes beside a router', () => {
  it('have the share of one process together', () => {
    // 1024 / 1.25^nice is the weight of each, sched(7)
    for (const nodes of [1, 2, 8, 24, 60])
      assert.ok(Math.abs((nodes * 1024) / 1.25 ** niceLevelOf(nodes) / 1024 - 1) < 0.15, `${nodes} nodes`)
  })

  it('are as nice as can be when they are many', () => assert.equal(niceLevelOf(1000), 19))

  it('become what they are to be, arguments as they are', async () => {
    const [command, ...args] = [...lowPriorityCommand(8), 'node', '-p', 'process.argv[1]', 'a b "c" $d']
    assert.equal((await run(command, args)).stdout, 'a b "c" $d\n')
  })

  it('are nice, and their session is', {
    skip: !existsSync('/proc/self/autogroup') && 'no autogroups here'
  }, async () => {
    const told = 'require("fs").readFileSync("/proc/self/autogroup", "latin1") + os.getPriority()'
    // a session of its own, as each node has
    const { stdout } = await run('setsid', ['-w', ...lowPriorityCommand(30), 'node', '-p', told])
    assert.match(stdout, /nice 15\n15\n$/)
  })
})
