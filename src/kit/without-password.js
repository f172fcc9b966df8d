/** A word up to its last `@`: a password may have any other one in it, and `/`, where it was not encoded. */
const BEFORE_HOST = /([a-z][a-z\d+.-]*:\/\/)(\S*)@|([^\s:/@]+):\S*@/gi
/** Of a database, whose user is nothing secret; elsewhere a name alone may be a token. */
const USER_ALONE = /^postgres(ql)?:\/\/[^\s:/?#@]*@$/i
/** A name that is encoded may be this one. */
const IN_QUERY = /([?&](?:password|[^=&\s]*%[^=&\s]*)=)[^&\s]*/gi

/**
 * withoutPassword is a text that may be shown, whatever addresses are in it: of databases, of a bus, or what was meant as one. Rather more is
 * hidden than less.
 *
 * @param {string} text
 */
export const withoutPassword = text =>
  text
    .replace(BEFORE_HOST, (all, scheme = '', who = '', name = '') => {
      if (USER_ALONE.test(all)) return all
      const [, user] = /^([^:/?#@]+):/.exec(who) ?? []
      if (scheme === '') return `${name}:***@`
      return user === undefined ? `${scheme}***@` : `${scheme}${user}:***@`
    })
    .replace(IN_QUERY, '$1***')
