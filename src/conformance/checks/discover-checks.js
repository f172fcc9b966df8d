// Conformance checks of DISCOVER requests and their cookies.
import {
  areSamePeers,
  differsVerdict,
  failVerdict,
  formatPeers,
  judgeCondition,
  judgeRefusal,
  passVerdict,
  SENTENCES
} from './verdict.js'

/** @typedef {import('../examination.js').ConformanceCheck} ConformanceCheck */

/** DISCOVER_CHECKS are checks of DISCOVER, but for its cookies. @type {readonly ConformanceCheck[]} */
export const DISCOVER_CHECKS = [
  {
    id: 'discover',
    title: 'peers of a namespace are found, those of others are not',
    sentence: SENTENCES.QUERY,
    async run(visit) {
      await visit.registeredAll('A B')
      await visit.registered('C', { ns: `${visit.ns}-longer` })
      const { names } = await visit.discovered()
      return judgeCondition(
        areSamePeers(names, 'A B'),
        `found ${formatPeers(names)} where A, B are registered`
      )
    }
  },
  {
    id: 'discover-nobody',
    title: 'a namespace that nobody is in has nobody: OK',
    sentence: SENTENCES.RESPONDS,
    needs: [],
    async run(visit) {
      const { ok, says, names } = await visit.discover()
      return judgeCondition(
        ok && names.length === 0,
        ok ? `found ${formatPeers(names)}` : `answered by ${says}`
      )
    }
  },
  {
    id: 'discover-all',
    title: 'without a namespace, peers of all namespaces are found',
    sentence: SENTENCES.ALL,
    async run(visit) {
      await visit.registeredAll('A', { ns: `${visit.ns}-1` })
      await visit.registeredAll('A B', { ns: `${visit.ns}-2` })
      const { ok, says } = await visit.discover({ ns: '' })
      if (!ok) return failVerdict(`answered by ${says}`)
      const names = (await visit.everywhere()).map(({ name }) => name)
      return judgeCondition(areSamePeers(names, 'A A B'), `found ${formatPeers(names)} where A, A, B are`)
    }
  },
  {
    id: 'discover-all-names',
    title: 'without a namespace, each registration says its own',
    sentence: SENTENCES.ALL,
    async run(visit) {
      await visit.registered('A', { ns: `${visit.ns}-1` })
      const { ok, says } = await visit.discover({ ns: '' })
      if (!ok) return failVerdict(`answered by ${says}`)
      const registrations = await visit.everywhere()
      if (registrations.length === 0) return failVerdict('found nobody')
      const haveNames = registrations.every(({ ns }) => ns === `${visit.ns}-1`)
      return judgeCondition(haveNames, 'no namespace in a registration')
    }
  },
  {
    id: 'discover-namespace',
    title: 'with a namespace, each registration says it too',
    async run(visit) {
      await visit.registered('A')
      const { registrations } = await visit.discovered()
      return judgeCondition(
        registrations[0]?.ns === visit.ns,
        `its namespace is "${registrations[0]?.ns ?? ''}"`,
        differsVerdict
      )
    }
  },
  {
    id: 'discover-namespace-too-long',
    title: 'DISCOVER of a namespace of 256 bytes is refused: E_INVALID_NAMESPACE',
    sentence: SENTENCES.BAD_NAMESPACE,
    needs: [],
    run: async visit =>
      judgeRefusal(
        await visit.discover({ ns: visit.ns.padEnd(256, 'x') }),
        ['E_INVALID_NAMESPACE'],
        differsVerdict
      )
  },
  {
    id: 'limit',
    title: 'no more are returned than asked for',
    sentence: SENTENCES.QUERY,
    async run(visit) {
      await visit.registeredAll('A B C')
      const { names } = await visit.discovered({ limit: 2 })
      return judgeCondition(names.length === 2, `a limit of 2 gave ${names.length}`)
    }
  },
  {
    id: 'limit-zero',
    title: 'a limit of 0 is as none',
    run: visit => findsAll(visit, 0, differsVerdict)
  },
  {
    id: 'limit-huge',
    title: 'a limit of 2^64 − 1 is as much as the target gives',
    sentence: SENTENCES.LIMIT,
    run: visit => findsAll(visit, 2n ** 64n - 1n, failVerdict)
  }
]

/** Whether DISCOVER with a limit finds all peers. @param {CheckSession} visit @param {number | bigint} limit @param {typeof failVerdict} otherwise */
async function findsAll(visit, limit, otherwise) {
  await visit.registeredAll('A B')
  const { ok, says, names } = await visit.discover({ limit })
  const outcome = ok ? `found ${formatPeers(names)} of A, B` : `answered by ${says}`
  return judgeCondition(ok && areSamePeers(names, 'A B'), outcome, otherwise)
}

/**
 * @typedef {import('./check-session.js').CheckSession} CheckSession
 */

const RESTART_MS = 120_000

/** COOKIE_CHECKS are checks of what DISCOVER's cookies do. @type {readonly ConformanceCheck[]} */
export const COOKIE_CHECKS = [
  {
    id: 'cookie',
    title: 'DISCOVER gives a cookie',
    sentence: SENTENCES.RESPONDS,
    async run(visit) {
      await visit.registered('A')
      const { cookie } = await visit.discovered()
      return judgeCondition(cookie !== undefined && cookie.length > 0, 'there is none')
    }
  },
  {
    id: 'cookie-news',
    title: 'a cookie asks for what is new since',
    sentence: SENTENCES.COOKIE,
    async run(visit) {
      await visit.registeredAll('A B')
      const cookie = await visit.cookie()
      await visit.registered('C')
      const { names } = await visit.discovered({ cookie })
      return judgeCondition(areSamePeers(names, 'C'), `found ${formatPeers(names)} where C is new`)
    }
  },
  {
    id: 'cookie-no-news',
    title: 'where nothing is new, a cookie finds nobody',
    sentence: SENTENCES.COOKIE,
    async run(visit) {
      await visit.registeredAll('A B')
      const { names } = await visit.discovered({ cookie: await visit.cookie() })
      return judgeCondition(names.length === 0, `found ${formatPeers(names)} again`)
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
      return judgeCondition(
        areSamePeers(names, 'A'),
        `found ${formatPeers(names)} where A has registered again`,
        differsVerdict
      )
    }
  },
  {
    id: 'cookie-pages',
    title: 'pages together hold every peer once',
    sentence: SENTENCES.PAGES,
    async run(visit) {
      await visit.registeredAll('A B C E F')
      const pages = await visit.pages({ limit: 2 })
      const names = pages.flat().map(({ name }) => name)
      return judgeCondition(
        areSamePeers(names, 'A B C E F'),
        `found ${formatPeers(names)} where A, B, C, E, F are registered`
      )
    }
  },
  {
    id: 'cookie-pages-writing',
    title: 'pages hold every peer once while others register, renew and leave',
    sentence: SENTENCES.COOKIE,
    run: pagesWhileOthersWrite
  },
  {
    id: 'cookie-all',
    title: 'without a namespace, a cookie asks for what is new in any',
    sentence: SENTENCES.COOKIE,
    async run(visit) {
      await visit.registered('A')
      const first = await visit.discover({ ns: '' })
      if (!first.ok) return failVerdict(`DISCOVER without a namespace was answered by ${first.says}`)
      /** @type {Uint8Array | undefined} */
      let last
      await visit.pages({ ns: '', limit: 1000 }, async ({ cookie }) => {
        last = cookie
      })
      await visit.registered('B', { ns: `${visit.ns}-other` })
      const { ok, says, registrations } = await visit.discover({ ns: '', cookie: last })
      if (!ok) return failVerdict(`answered by ${says}`)
      const names = registrations.map(({ name }) => name).filter(name => name !== 'somebody else')
      return judgeCondition(areSamePeers(names, 'B'), `found ${formatPeers(names)} where B is new`)
    }
  },
  {
    id: 'cookie-other-namespace',
    title: 'a cookie of another namespace is refused: E_INVALID_COOKIE',
    sentence: SENTENCES.BAD_COOKIE,
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
    sentence: SENTENCES.BAD_COOKIE,
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
    sentence: SENTENCES.BAD_COOKIE,
    needs: [],
    run: async visit =>
      judgeRefusal(
        await visit.discover({ cookie: Buffer.from('no cookie of yours') }),
        ['E_INVALID_COOKIE'],
        differsVerdict
      )
  },
  {
    id: 'cookie-changed',
    title: 'a cookie with a changed byte is refused: E_INVALID_COOKIE',
    async run(visit) {
      await visit.registered('A')
      const cookie = (await visit.cookie()).slice()
      cookie[cookie.length >> 1] ^= 1
      return judgeRefusal(await visit.discover({ cookie }), ['E_INVALID_COOKIE'], differsVerdict)
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
      return judgeCondition(
        again.ok && areSamePeers(first.names, 'B') && areSamePeers(again.names, 'B'),
        `found ${formatPeers(first.names)}, then ${again.ok ? formatPeers(again.names) : again.says}`,
        differsVerdict
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
      return judgeCondition(
        ok && areSamePeers(names, 'B'),
        ok ? `found ${formatPeers(names)}` : `refused by ${says}`,
        differsVerdict
      )
    }
  },
  {
    id: 'cookie-restart',
    title: 'after a restart, a cookie from before hides nothing: it works or is refused',
    sentence: SENTENCES.COOKIE,
    needs: ['registration', 'restart'],
    limitMs: RESTART_MS,
    async run(visit) {
      await visit.registeredAll('A B C')
      const cookie = await visit.cookie()
      await visit.restart()
      await visit.registered('E')
      const answer = await visit.discover({ cookie })
      if (!answer.ok) return judgeRefusal(answer, ['E_INVALID_COOKIE'])
      return answer.names.includes('E')
        ? passVerdict(`it works: found ${formatPeers(answer.names)}`)
        : failVerdict(`found ${formatPeers(answer.names)} where E is new`)
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
      return judgeCondition(areSamePeers(names, 'A B'), `found ${formatPeers(names)} of A, B`, differsVerdict)
    }
  }
]

/**
 * A cookie of one query used with another one. A server that takes it for no cookie, or for the part of it that fits, hides no peers.
 *
 * @param {CheckSession} visit
 * @param {import('./check-session.js').Discovery} page - that gave it
 * @param {{ ns: string, expected: string }} where - `expected`: who is there, and was not on that page
 */
async function foreignCookie(visit, page, { ns, expected }) {
  if (!page.ok) return failVerdict(`DISCOVER there was answered by ${page.says}`)
  if (!page.cookie?.length) return failVerdict('DISCOVER there gave no cookie')
  const answer = await visit.discover({ ns, cookie: page.cookie })
  const outcome = `accepted: found ${formatPeers(answer.names)} where ${expected} is to be found`
  return judgeRefusal(answer, ['E_INVALID_COOKIE'], () =>
    (answer.names.includes(expected) ? differsVerdict : failVerdict)(outcome)
  )
}

/** After the first page one who was on it leaves and G comes; W registers again, twice. @param {CheckSession} visit */
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
  return judgeCondition(
    areSamePeers(names, 'A B C E F G'),
    `found ${formatPeers(names)} where A, B, C, E, F were and G came`
  )
}
