import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expandMatrices, loadMatrices } from '../../scenarios.js'

/**
 * What the source document published: clients, initial registrations, namespaces, operations; average, median and maximum of the response
 * time in ms, of the CPU in %, of the memory in MB. Which rows there are, and their plans: matrix-plans.test.js.
 *
 * @type {Record<string, string>}
 */
const SOURCE = {
  'rendezvous-register': `
    5 100 10 500 16 15 26 31 42 61 98 98 106
    5 1000 10 500 14 14 26 34 37 67 113 112 114
    10 1000 10 500 23 22 55 34 23 60 143 141 149
    100 1000 10 500 221 224 308 23 22 48 133 132 136
    100 1000 10 1000 276 277 410 26 41 54 138 134 165
    100 10000 10 500 1900 282 8468 15 18 75 364 362 382
    100 10000 10 1000 1061 292 8017 15 19 76 393 392 397
    50 100000 10 500 23686 358 57365 11 8 88 2341 2334 2645
    50 100000 10 1000 10055 425 56977 10 0 89 2501 2543 2887
    100 100000 10 500 45273 674 55370 11 6 95 2691 2718 2787
    100 100000 10 1000 22849 870 55060 11 11 88 2166 2225 2522
    200 100000 10 500 24572 2456 108989 10 10 90 2468 2476 2655
    200 100000 10 1000 61448 2069 299530 10 3 87 2515 2545 2742
    200 200000 10 1000 168163 2485 830998 12 3 93 2814 2896 3286`,
  'rendezvous-discover-20': `
    5 1000 10 500 4 4 12 24 34 59 115 115 116
    5 1000 100 500 5 5 17 29 32 66 114 113 115
    10 10000 10 500 144 7 5129 17 20 67 332 330 359
    10 10000 100 500 177 7 6505 17 9 88 367 369 370
    10 10000 10 1000 80 7 5721 15 9 86 330 330 331
    10 10000 100 1000 94 7 6437 16 18 84 354 353 397
    100 100000 10 500 26379 118 112840 10 0 92 2009 2045 2204
    100 100000 100 500 30609 139 123132 11 8 93 2229 2276 2416`,
  'rendezvous-discover-100': `
    5 1000 10 500 4 4 16 34 0 103 110 111 111
    5 1000 100 500 5 5 16 29 0 89 111 113 113
    10 10000 10 500 166 9 6168 16 20 94 322 319 346
    10 10000 100 500 192 9 6658 18 18 93 352 352 353
    10 10000 10 1000 80 9 5274 18 19 97 326 325 362
    10 10000 100 1000 102 9 6701 15 18 98 320 315 346
    100 100000 10 500 29002 118 119308 10 0 149 2062 2021 2292
    100 100000 100 500 30290 114 127063 10 5 154 1995 2037 2120`,
  'rendezvous-discover-inexistent': `
    5 0 10 500 16 15 56 24 39 42 96 96 103
    5 0 10 1000 17 16 107 20 26 44 102 103 110
    10 0 5 1000 19 18 88 65 65 65 90 90 90
    10 0 100 1000 20 19 61 23 21 56 101 101 109
    100 0 10 10000 241 228 1012 22 15 79 282 294 299
    100 0 100 10000 176 172 569 22 3 68 261 270 283
    10 10000 100 10000 37 26 7795 16 8 103 277 203 457
    100 10000 100 10000 348 266 7664 21 13 73 301 261 428
    10 100000 100 10000 291 26 162046 12 5 153 1956 1935 2191
    100 100000 100 10000 1779 291 178066 12 4 150 2392 2618 2828`
}

/** Cases that stand in one of the two tables only. */
const DIFFERENT = Object.freeze({
  'rendezvous-register/c5-r0-ns10-ops500': 'Planned only',
  'rendezvous-register/c5-r100-ns10-ops500': 'Published only',
  'rendezvous-discover-inexistent/c10-r0-ns10-ops1000': 'Planned only',
  'rendezvous-discover-inexistent/c10-r0-ns5-ops1000': 'Published only'
})

/** Figures by the name of their row. @param {string} name */
const publishedIn = name =>
  new Map(
    SOURCE[name]
      .trim()
      .split('\n')
      .map(line => line.trim().split(' ').map(Number))
      .map(([c, r, ns, ops, ...figures]) => [`c${c}-r${r}-ns${ns}-ops${ops}`, figures])
  )

const { matrices, problems } = await loadMatrices([])
const { tables, problems: refused } = expandMatrices(matrices, { cores: 2 })

test('the tables of the source are there, in its order, and can all be run', () => {
  assert.deepEqual([problems, refused], [[], []])
  assert.deepEqual(
    tables.map(({ id, rows }) => [id, rows.length]),
    [
      ['rendezvous-register', 15],
      ['rendezvous-discover-20', 8],
      ['rendezvous-discover-100', 8],
      ['rendezvous-discover-inexistent', 11]
    ]
  )
})

for (const { id, rows, source, differences } of tables)
  describe(id, () => {
    const published = publishedIn(id)

    test('has the published figures', () => {
      assert.ok([...published.keys()].every(each => rows.some(({ name }) => name === each)))
      for (const { name, reference } of rows) {
        const { rtMs = [], cpuPercent = [], memoryMb = [] } = reference ?? {}
        assert.deepEqual([rtMs, cpuPercent, memoryMb].flat(), published.get(name) ?? [], name)
      }
    })

    test('has a note where the two tables of the source disagree', () => {
      for (const { name, note } of rows) {
        const said = /** @type {Record<string, string>} */ (DIFFERENT)[`${id}/${name}`]
        assert.equal(note === null, said === undefined, name)
        assert.ok(said === undefined || note?.startsWith(said), name)
      }
    })

    test('says where its figures are not like for like', () => {
      const said = differences.join(' ')
      for (const word of ['MySQL', 'WebSocket with mplex', 'failed', '6 cores', 'one process'])
        assert.ok(said.includes(word), word)
      assert.equal(said.includes('the wrong way round'), id !== 'rendezvous-register')
      assert.match(String(source), /js-libp2p/)
    })
  })

describe('a matrix that comes with the program', () => {
  test('is found by its name', async () => {
    const [byName, byFile, byPath] = await Promise.all(
      ['smoke', 'smoke.yaml', 'benchmarks/smoke.yaml'].map(word => loadMatrices([word]))
    )
    assert.equal(byPath.problems.length, 0)
    assert.deepEqual(byName, byPath)
    assert.deepEqual(byFile, byPath)
  })

  test('is told of where a word is neither a file nor such a name', async () => {
    const [{ problems: near }, { problems: far }, { problems: path }] = await Promise.all(
      ['smok', 'nowhere', 'no/where.yaml'].map(word => loadMatrices([word]))
    )
    assert.deepEqual(near, [
      { flag: 'smok', value: '', allowed: 'is neither a file nor the name of a matrix; did you mean smoke?' }
    ])
    assert.match(far[0].allowed, /: .*gossip-growth, .*, smoke, /)
    assert.equal(path[0].allowed, 'does not exist')
  })
})
