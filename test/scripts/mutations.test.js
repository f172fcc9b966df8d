import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawMutations, sitesIn } from '../../scripts/parts/mutation-sites.js'

/** What the sites in code can make of it. @param {string} source */
const changes = source =>
  sitesIn(source).flatMap(({ start, end, puts }) =>
    puts.map(put => source.slice(0, start) + put + source.slice(end))
  )

describe('the sites of mutations', () => {
  /** @type {[string, string, string[]][]} */
  const cases = [
    ['a comparison is turned, or keeps its bound or not', 'a < b', ['a <= b', 'a > b']],
    ['in brackets too', '(a) >= (b)', ['(a) > (b)', '(a) <= (b)']],
    ['an equality is turned', 'a === b', ['a !== b']],
    ['an inequality is turned', 'a != null', ['a == null']],
    ['a number that is compared with is one off', 'a !== 2', ['a === 2', 'a !== 1', 'a !== 3']],
    ['so is one that is taken from that', 'a == b - 1', ['a != b - 1', 'a == b - 0', 'a == b - 2']],
    ['so is a bigint', 'x = a[0n]', ['x = a[(-1n)]', 'x = a[1n]']],
    ['so is an index of a method', 'x = a.slice(-1)', ['x = a.slice(-0)', 'x = a.slice(-2)']],
    ['so is a length', 'x = a.length + 1', ['x = a.length + 0', 'x = a.length + 2']],
    ['so is a length that is given', 'x = { length: 7 }', ['x = { length: 6 }', 'x = { length: 8 }']],
    ['other numbers and texts are no bounds', 'x = [1, y(2), "3" + 4, a[b(5)], 0.5 * 6]', []],
    ['an await is dropped', 'x = await a', ['x = a']],
    ['a call is left out, or not awaited', 'await a.b()', ['a.b()', ';']],
    ['none goes on with the line before', 'x\nawait [a]', ['x\n;[a]']],
    ['a call that is asked for is left out', 'if (x) a?.b()\nelse y', ['if (x) ;\nelse y']],
    ['one whose value is used stays', 'x = a()\nconst b = () => c()', []],
    ['a class calls the one above it', 'class A extends B { constructor() { super() } }', []]
  ]
  for (const [name, source, changed] of cases) it(name, () => assert.deepEqual(changes(source), changed))
})

describe('a draw of mutations', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `x = a === b${i % 20}`)
  const module = { file: 'a.js', source: lines.join('\n') }

  it('is the same for the same code and seed, and another for another seed', () => {
    const draw = { seed: 64, count: 12 }
    const drawn = drawMutations([module], draw)
    assert.equal(drawn.length, 12)
    assert.equal(new Set(drawn.map(({ line }) => line)).size, 12)
    assert.deepEqual(drawMutations([module], draw), drawn)
    assert.deepEqual(drawMutations([module], { ...draw, count: 5 }), drawn.slice(0, 5))
    assert.notDeepEqual(drawMutations([module], { ...draw, seed: 65 }), drawn)
  })

  it('makes the same changes of code that has moved', () => {
    const moved = [
      { file: 'b.js', source: lines.slice(25).join('\n') },
      { file: 'c.js', source: `function f() {\n  ${lines.slice(0, 25).join('\n  ')}\n}` }
    ]
    const [before, after] = [[module], moved].map(modules =>
      drawMutations(modules, { seed: 64, count: 12 }).map(({ what }) => what)
    )
    assert.deepEqual(after, before)
  })

  it('says what is changed where', () => {
    const source = 'export function f() {\n  if (a === b) return\n}'
    assert.deepEqual(drawMutations([{ file: 'a.js', source }], { seed: 1, count: 60 }), [
      {
        number: 1,
        file: 'a.js',
        line: 2,
        start: 30,
        end: 33,
        put: '!==',
        what: '=== → !==: if (a === b) return',
        name: 'f'
      }
    ])
  })
})
