import { SAYS } from '../specification.js'
import { differs, fail, holds, listed, refusal, same } from '../verdict.js'
import { namesIn } from '../visit.js'

/** @typedef {import('../examine.js').Check} Check */

/** DISCOVERING are checks of DISCOVER, but for its cookies. @type {readonly Check[]} */
export const DISCOVERING = [
  {
    id: 'discover',
    title: 'peers of a namespace are found, those of others are not',
    sentence: SAYS.QUERY,
    async run(visit) {
      await visit.registeredAll('A B')
      await visit.registered('C', { ns: `${visit.ns}-longer` })
      const { names } = await visit.discovered()
      return holds(same(names, 'A B'), `found ${listed(names)} where A, B are registered`)
    }
  },
  {
    id: 'discover-nobody',
    title: 'a namespace that nobody is in has nobody: OK',
    sentence: SAYS.RESPONDS,
    needs: [],
    async run(visit) {
      const { ok, says, names } = await visit.discover()
      return holds(ok && names.length === 0, ok ? `found ${listed(names)}` : `answered by ${says}`)
    }
  },
  {
    id: 'discover-all',
    title: 'without a namespace, peers of all namespaces are found',
    sentence: SAYS.ALL,
    async run(visit) {
      await visit.registeredAll('A', { ns: `${visit.ns}-1` })
      await visit.registeredAll('A B', { ns: `${visit.ns}-2` })
      const { ok, says } = await visit.discover({ ns: '' })
      if (!ok) return fail(`answered by ${says}`)
      const found = await visit.everywhere()
      return holds(
        same(
          found.map(({ name }) => name),
          'A A B'
        ),
        `found ${namesIn(found)} where A, A, B are`
      )
    }
  },
  {
    id: 'discover-all-names',
    title: 'without a namespace, each registration says its own',
    sentence: SAYS.ALL,
    async run(visit) {
      await visit.registered('A', { ns: `${visit.ns}-1` })
      const { ok, says } = await visit.discover({ ns: '' })
      if (!ok) return fail(`answered by ${says}`)
      const found = await visit.everywhere()
      if (found.length === 0) return fail('found nobody')
      return holds(
        found.every(({ ns }) => ns === `${visit.ns}-1`),
        'no namespace in a registration'
      )
    }
  },
  {
    id: 'discover-namespace',
    title: 'with a namespace, each registration says it too',
    async run(visit) {
      await visit.registered('A')
      const { found } = await visit.discovered()
      return holds(found[0]?.ns === visit.ns, `its namespace is "${found[0]?.ns ?? ''}"`, differs)
    }
  },
  {
    id: 'discover-namespace-too-long',
    title: 'DISCOVER of a namespace of 256 bytes is refused: E_INVALID_NAMESPACE',
    sentence: SAYS.BAD_NAMESPACE,
    needs: [],
    run: async visit =>
      refusal(await visit.discover({ ns: visit.ns.padEnd(256, 'x') }), ['E_INVALID_NAMESPACE'], differs)
  },
  {
    id: 'limit',
    title: 'no more are returned than asked for',
    sentence: SAYS.QUERY,
    async run(visit) {
      await visit.registeredAll('A B C')
      const { names } = await visit.discovered({ limit: 2 })
      return holds(names.length === 2, `a limit of 2 gave ${names.length}`)
    }
  },
  {
    id: 'limit-zero',
    title: 'a limit of 0 is as none',
    async run(visit) {
      await visit.registeredAll('A B')
      const { ok, says, names } = await visit.discover({ limit: 0 })
      return holds(
        ok && same(names, 'A B'),
        ok ? `found ${listed(names)} of A, B` : `answered by ${says}`,
        differs
      )
    }
  },
  {
    id: 'limit-huge',
    title: 'a limit of 2^64 − 1 is as much as the target gives',
    sentence: SAYS.LIMIT,
    async run(visit) {
      await visit.registeredAll('A B')
      const { ok, says, names } = await visit.discover({ limit: 2n ** 64n - 1n })
      return holds(ok && same(names, 'A B'), ok ? `found ${listed(names)} of A, B` : `answered by ${says}`)
    }
  }
]
