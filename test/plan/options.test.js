import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foldFamilies, nameOption, unfoldFamilies } from '../../src/plan/options.js'

/** @type {Record<string, any>} */
const TABLE = {
  nodes: { describe: 'how many' },
  D: { family: 'gossipsub', describe: 'mesh peers' },
  D_low: { family: 'gossipsub', describe: 'at least', default: 3 },
  scale: { describe: 'of the time' },
  scaleRate: { family: 'scale', member: 'rate', describe: 'of the rate' },
  traced: { flag: true, describe: 'spans' },
  tracedTo: { family: 'traced', member: 'to', describe: 'where' },
  old: { unlisted: true, describe: 'as another one' }
}

/** @param {Record<string, unknown>} options */
const unfolded = options => unfoldFamilies(options, TABLE).map(({ name, raw }) => [name, raw])

describe('an option that holds others by their names', () => {
  const CASES = /** @type {[Record<string, unknown>, [string, unknown][]][]} */ ([
    [
      { nodes: '3', gossipsub: 'D=4,D_low=2' },
      [
        ['nodes', '3'],
        ['D', '4'],
        ['D_low', '2']
      ]
    ],
    [
      { gossipsub: ['D=4', 'D_low=2'] },
      [
        ['D', '4'],
        ['D_low', '2']
      ]
    ],
    [{ gossipsub: { D: 4 } }, [['D', 4]]],
    [{ gossipsub: 'E=4' }, [['E', '4']]],
    [{ gossipsub: true }, [['', '']]],
    [{ D: '4' }, [['D', '4']]],
    [{ scale: '0.1' }, [['scale', '0.1']]],
    [
      { scale: '0.1,rate=0.5' },
      [
        ['scale', '0.1'],
        ['scaleRate', '0.5']
      ]
    ],
    [{ scale: 'rate=0.5' }, [['scaleRate', '0.5']]],
    [{ traced: true }, [['traced', true]]],
    [
      { traced: 'to=a=b' },
      [
        ['traced', true],
        ['tracedTo', 'a=b']
      ]
    ],
    [{ scale: null }, [['scale', null]]]
  ])
  for (const [options, expected] of CASES)
    it(`${JSON.stringify(options)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(unfolded(options), expected)
    })

  it('is one option of help, which says what it holds', () => {
    const folded = foldFamilies(TABLE)
    assert.deepEqual(Object.keys(folded), ['nodes', 'gossipsub', 'scale', 'traced'])
    assert.match(folded.gossipsub.describe, /D=4,D_low=3\. D: mesh peers; D_low: at least \[3\]$/)
    assert.equal(folded.scale.describe, 'of the time. With rate: of the rate')
  })

  it('stands before the name of what it holds', () => {
    assert.equal(nameOption('scaleRate', TABLE.scaleRate), 'scale rate')
    assert.equal(nameOption('nodes', TABLE.nodes), 'nodes')
  })
})
