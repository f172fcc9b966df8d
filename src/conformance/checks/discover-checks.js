// Checks of DISCOVER, with its cookies.
import { differs, fail, holds, listed, pass, refusal, SAYS, same } from './verdict.js'

/** @typedef {import('../examination.js').Check} Check */

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
      const names = (await visit.everywhere()).map(({ name }) => name)
      return holds(same(names, 'A A B'), `found ${listed(names)} where A, A, B are`)
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
      const haveNames = found.every(({ ns }) => ns === `${visit.ns}-1`)
      return holds(haveNames, 'no namespace in a registration')
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
    run: visit => allFound(visit, 0, differs)
  },
  {
    id: 'limit-huge',
    title: 'a limit of 2^64 − 1 is as much as the target gives',
    sentence: SAYS.LIMIT,
    run: visit => allFound(visit, 2n ** 64n - 1n, fail)
  }
]

/** Whether DISCOVER with a limit finds all peers. @param {Visit} visit @param {number | bigint} limit @param {typeof fail} otherwise */
async function allFound(visit, limit, otherwise) {
  await visit.registeredAll('A B')
  const { ok, says, names } = await visit.discover({ limit })
  const found = ok ? `found ${listed(names)} of A, B` : `answered by ${says}`
  return holds(ok && same(names, 'A B'), found, otherwise)
}

/**
 * @typedef {import('./check-session.js').Visit} Visit
 */

const RESTART_MS = 120_000

/** COOKIES are checks of what DISCOVER's cookies do. @type {readonly Check[]} */
export const COOKIES = [
  {
    id: 'cookie',
    title: 'DISCOVER gives a cookie',
    sentence: SAYS.RESPONDS,
    async run(visit) {
      await visit.registered('A')
      const { cookie } = await visit.discovered()
      return holds(cookie !== undefined && cookie.length > 0, 'there is none')
    }
  },
  {
    id: 'cookie-news',
    title: 'a cookie asks for what is new since',
    sentence: SAYS.COOKIE,
    async run(visit) {
      await visit.registeredAll('A B')
      const cookie = await visit.cookie()
      await visit.registered('C')
      const { names } = await visit.discovered({ cookie })
      return holds(same(names, 'C'), `found ${listed(names)} where C is new`)
    }
  },
  {
    id: 'cookie-no-news',
    title: 'where nothing is new, a cookie finds nobody',
    sentence: SAYS.COOKIE,
    async run(visit) {
      await visit.registeredAll('A B')
      const { names } = await visit.discovered({ cookie: await visit.cookie() })
      return holds(names.length === 0, `found ${listed(names)} again`)
    }
  },
  {
    id: 'cookie-renewal',
    title: 'a peer that registers again is new again',
    async run(visit) {
      await visit.registeredAll('A B')
      const cookie = await visit.cookie()
      await visit.registered('A')
      const { names } = await visit.discovered({ cookie })
      return holds(same(names, 'A'), `found ${listed(names)} where A has registered again`, differs)
    }
  },
  {
    id: 'cookie-pages',
    title: 'pages together hold every peer once',
    sentence: SAYS.PAGES,
    async run(visit) {
      await visit.registeredAll('A B C E F')
      const pages = await visit.pages({ limit: 2 })
      const names = pages.flat().map(({ name }) => name)
      return holds(same(names, 'A B C E F'), `found ${listed(names)} where A, B, C, E, F are registered`)
    }
  },
  {
    id: 'cookie-pages-writing',
    title: 'pages hold every peer once while others register, renew and leave',
    sentence: SAYS.COOKIE,
    run: pagesWhileOthersWrite
  },
  {
    id: 'cookie-all',
    title: 'without a namespace, a cookie asks for what is new in any',
    sentence: SAYS.COOKIE,
    async run(visit) {
      await visit.registered('A')
      const first = await visit.discover({ ns: '' })
      if (!first.ok) return fail(`DISCOVER without a namespace was answered by ${first.says}`)
      /** @type {Uint8Array | undefined} */
      let last
      await visit.pages({ ns: '', limit: 1000 }, async ({ cookie }) => {
        last = cookie
      })
      await visit.registered('B', { ns: `${visit.ns}-other` })
      const { ok, says, found } = await visit.discover({ ns: '', cookie: last })
      if (!ok) return fail(`answered by ${says}`)
      const names = found.map(({ name }) => name).filter(name => name !== 'somebody else')
      return holds(same(names, 'B'), `found ${listed(names)} where B is new`)
    }
  },
  {
    id: 'cookie-other-namespace',
    title: 'a cookie of another namespace is refused: E_INVALID_COOKIE',
    sentence: SAYS.BAD_COOKIE,
    async run(visit) {
      const other = `${visit.ns}-other`
      await visit.registered('A', { ns: other })
      await visit.registeredAll('B C')
      return foreignCookie(visit, await visit.discover(), { ns: other, expected: 'A' })
    }
  },
  {
    id: 'cookie-of-all',
    title: 'a cookie of a query without namespace is refused in a namespace: E_INVALID_COOKIE',
    sentence: SAYS.BAD_COOKIE,
    async run(visit) {
      await visit.registered('A')
      const page = await visit.discover({ ns: '' })
      await visit.registered('B')
      return foreignCookie(visit, page, { ns: visit.ns, expected: 'B' })
    }
  },
  {
    id: 'cookie-made-up',
    title: 'a cookie that nobody made is refused: E_INVALID_COOKIE',
    sentence: SAYS.BAD_COOKIE,
    needs: [],
    run: async visit =>
      refusal(
        await visit.discover({ cookie: Buffer.from('no cookie of yours') }),
        ['E_INVALID_COOKIE'],
        differs
      )
  },
  {
    id: 'cookie-changed',
    title: 'a cookie with a changed byte is refused: E_INVALID_COOKIE',
    async run(visit) {
      await visit.registered('A')
      const cookie = (await visit.cookie()).slice()
      cookie[cookie.length >> 1] ^= 1
      return refusal(await visit.discover({ cookie }), ['E_INVALID_COOKIE'], differs)
    }
  },
  {
    id: 'cookie-again',
    title: 'a cookie can be used again: who missed a reply asks once more',
    async run(visit) {
      await visit.registered('A')
      const cookie = await visit.cookie()
      await visit.registered('B')
      const [first, again] = [await visit.discovered({ cookie }), await visit.discover({ cookie })]
      return holds(
        again.ok && same(first.names, 'B') && same(again.names, 'B'),
        `found ${listed(first.names)}, then ${again.ok ? listed(again.names) : again.says}`,
        differs
      )
    }
  },
  {
    id: 'cookie-of-others',
    title: 'a cookie works for another peer than the one that was given it',
    async run(visit) {
      await visit.registered('A')
      const cookie = await visit.cookie()
      await visit.registered('B')
      const { ok, says, names } = await visit.discover({ cookie }, 'C')
      return holds(ok && same(names, 'B'), ok ? `found ${listed(names)}` : `refused by ${says}`, differs)
    }
  },
  {
    id: 'cookie-restart',
    title: 'after a restart, a cookie from before hides nothing: it works or is refused',
    sentence: SAYS.COOKIE,
    needs: ['registration', 'restart'],
    limitMs: RESTART_MS,
    async run(visit) {
      await visit.registeredAll('A B C')
      const cookie = await visit.cookie()
      await visit.restart()
      await visit.registered('E')
      const answer = await visit.discover({ cookie })
      if (!answer.ok) return refusal(answer, ['E_INVALID_COOKIE'])
      return answer.names.includes('E')
        ? pass(`it works: found ${listed(answer.names)}`)
        : fail(`found ${listed(answer.names)} where E is new`)
    }
  },
  {
    id: 'restart',
    title: 'registrations are still there after a restart',
    needs: ['registration', 'restart'],
    limitMs: RESTART_MS,
    async run(visit) {
      await visit.registeredAll('A B')
      await visit.restart()
      const { names } = await visit.discovered()
      return holds(same(names, 'A B'), `found ${listed(names)} of A, B`, differs)
    }
  }
]

/**
 * A cookie of one query used with another one. A server that takes it for no cookie, or for the part of it that fits, hides no peers.
 *
 * @param {Visit} visit
 * @param {import('./check-session.js').Discovery} page - that gave it
 * @param {{ ns: string, expected: string }} where - `expected`: who is there, and was not on that page
 */
async function foreignCookie(visit, page, { ns, expected }) {
  if (!page.ok) return fail(`DISCOVER there was answered by ${page.says}`)
  if (!page.cookie?.length) return fail('DISCOVER there gave no cookie')
  const answer = await visit.discover({ ns, cookie: page.cookie })
  const found = `accepted: found ${listed(answer.names)} where ${expected} is to be found`
  return refusal(answer, ['E_INVALID_COOKIE'], () =>
    (answer.names.includes(expected) ? differs : fail)(found)
  )
}

/** After the first page one who was on it leaves and G comes; W registers again, twice. @param {Visit} visit */
async function pagesWhileOthersWrite(visit) {
  await visit.registeredAll('A B C E F W')
  let read = 0
  const pages = await visit.pages({ limit: 3 }, async ({ names }) => {
    read += 1
    if (read <= 2) await visit.registered('W')
    if (read > 1) return
    await visit.unregister(names.find(name => name !== 'W') ?? 'W')
    await visit.registered('G')
  })
  const names = pages.flatMap(page => page.map(({ name }) => name)).filter(name => name !== 'W')
  return holds(same(names, 'A B C E F G'), `found ${listed(names)} where A, B, C, E, F were and G came`)
}
