import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ladder } from '../../../src/network/namespaces.js'

const HELD = { pid: 42, descriptors: [7] }

/** A kernel of which some commands are refused. @param {RegExp} without @param {string[][]} [asked] - is told them */
const kernel =
  (without, asked = []) =>
  (/** @type {readonly string[]} */ command) => {
    asked.push([...command])
    return without.test(command.join(' ')) ? 'Error: not here.' : null
  }

/** @param {RegExp} without */
const lacking = without => ladder(HELD, kernel(without)).map(({ step, lacks }) => [step, lacks])

describe('the ladder of what could make impairments', () => {
  test('is tried in a namespace of the run that nobody uses', () => {
    /** @type {string[][]} */
    const asked = []
    ladder(HELD, kernel(/none/, asked))
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
    const rungs = ladder(HELD, kernel(/none/))
    assert.deepEqual(rungs.at(-1), { step: 'router', lacks: null, passedOver: null })
    for (const { lacks, passedOver } of rungs.slice(0, -1)) {
      assert.equal(lacks, null)
      assert.match(String(passedOver), /router|latency/)
    }
  })
})
