import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeMissingPackages } from '../../../src/libp2p/stacks.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { planAb } from '../../../src/studies/compare/plan.js'

const skip = describeMissingPackages('libp2p-2') ?? false

/** @param {string[]} words @param {Record<string, unknown>} [options] @returns {Promise<boolean[]>} whether each plan is stock */
async function stockOf(words, options = {}) {
  const { planned, problems } = /** @type {any} */ (
    await planAb({ options, words }, { now: () => new Date(0), findScenario: loadScenario })
  )
  assert.equal(problems, undefined)
  return planned.document.sides.map((/** @type {any} */ { plan }) => plan.stock)
}

const [ONE, OTHER] = ['--stack libp2p-3', '--stack libp2p-2']

describe('a comparison between stacks', { skip }, () => {
  /** @type {[what: string, words: string[], options: Record<string, unknown>, stock: boolean[]][]} */
  const cases = [
    ['is stock on both sides', [ONE, OTHER], {}, [true, true]],
    ['of gossip too', ['gossip', ONE, OTHER], {}, [true, true]],
    ['of servers too', ['--serverStack libp2p-3', '--serverStack libp2p-2'], {}, [true, true]],
    ['is tuned with --no-stock', [ONE, OTHER], { stock: false }, [false, false]],
    ['is what an arm says', [`${ONE} --no-stock`, OTHER], {}, [false, false]],
    ['of one stack is tuned', ['', '--inFlight 4'], {}, [false, false]],
    ['can be between stock and tuned', ['', '--stock'], {}, [false, true]]
  ]
  for (const [what, words, options, stock] of cases)
    test(what, async () => assert.deepEqual(await stockOf(words, options), stock))
})
