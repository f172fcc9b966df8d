/**
 * @typedef {object} Defect
 * @property {string} what - is wrong with it
 * @property {string} find - code that is in one place of `src`, wherever that is
 * @property {string} put - instead
 */

/** DEFECTS are small ones, in all layers: mistakes that one makes, and that a reader overlooks. @type {readonly Defect[]} */
export const DEFECTS = Object.freeze([
  // plan
  { what: 'a minute of 6 s', find: 'min: 60, minute: 60', put: 'min: 6, minute: 60' },
  {
    what: 'a rate that is scaled the wrong way',
    find: 'roundScaled(ms / rate)',
    put: 'roundScaled(ms * rate)'
  },
  { what: 'a cap that may not be reached', find: 'each <= cap', put: 'each < cap' },

  // load
  { what: 'an arrival at the very end', find: 'if (offset >= durationNs)', put: 'if (offset > durationNs)' },
  {
    what: 'one operation too many under way',
    find: 'inFlight.size >= maxInFlight',
    put: 'inFlight.size > maxInFlight'
  },
  { what: 'twice the area under a ramp', find: '(slope * at * at) / 2', put: 'slope * at * at' },

  // measure
  {
    what: 'a percentile taken for a tenth of it',
    find: 'Math.ceil(share * this.count',
    put: 'Math.ceil(0.1 * share * this.count'
  },
  {
    what: 'a message that closes before its last receipt',
    find: 'message.received < message.expected',
    put: 'message.received < message.expected - 1'
  },
  {
    what: 'nodes that were gone too late',
    find: "['node-gone', ({ node, publishedNs }, evidence) => evidence.nodeEndNs(node) <= publishedNs]",
    put: "['node-gone', ({ node, publishedNs }, evidence) => evidence.nodeEndNs(node) >= publishedNs]"
  },

  // result
  { what: 'a limit that is not met when reached', find: 'value <= limit', put: 'value < limit' },
  {
    what: 'one comparison too few corrected for',
    find: '(ps.length - rank) * p',
    put: '(ps.length - rank - 1) * p'
  },
  {
    what: 'ties that do not count as far',
    find: 'mean >= -EPSILON',
    put: 'mean > EPSILON'
  },

  // report
  {
    what: 'kB that are called MB',
    find: 'bytes == null ? null : bytes / 1e6',
    put: 'bytes == null ? null : bytes / 1e3'
  },
  { what: 'a quote that is not escaped', find: `replace(/[&<>"']/g`, put: 'replace(/[&<>"]/g' },
  { what: 'a comma that splits a cell', find: '/[",\\r\\n]/.test', put: '/["\\r\\n]/.test' },

  // workers
  {
    what: 'an await left out: a reply before its result',
    find: 'const result = await this.#handlers[method]',
    put: 'const result = this.#handlers[method]'
  },
  { what: 'a full page taken for too much', find: 'length > this.#limit', put: 'length >= this.#limit' },
  {
    what: 'lives of the nodes of all others',
    find: 'this.#worker[slot] === worker',
    put: 'this.#worker[slot] !== worker'
  },

  // server
  {
    what: 'the longest time to live refused',
    find: 'ttlSeconds > maxTtlSeconds',
    put: 'ttlSeconds >= maxTtlSeconds'
  },
  {
    what: 'one registration of a peer too many',
    find: '>= this.#maxPeerRegistrations',
    put: '> this.#maxPeerRegistrations'
  },
  {
    what: 'an await left out: replies to a client that reads none of them',
    find: 'reply.length > PART_BYTES) await this.#sendRest(reply, taken)',
    put: 'reply.length > PART_BYTES) this.#sendRest(reply, taken)'
  },

  // client
  {
    what: 'a wrong constant: the address taken for the port',
    find: "error?.syscall === 'bind' && error.code === 'EADDRNOTAVAIL'",
    put: "error?.syscall === 'bind' && error.code === 'EADDRINUSE'"
  },
  {
    what: 'a reply whose end is mistaken',
    find: 'where = this.#decoder.midFrame',
    put: 'where = !this.#decoder.midFrame'
  },

  // protocol
  {
    what: 'an await left out: every signature holds',
    find: "isValid = typeof result === 'boolean' ? result : await result",
    put: 'isValid = /** @type {any} */ (result)'
  },
  {
    what: 'half a cookie that can be forged',
    find: 'update(cookie.subarray(0, CURSOR_BYTES))',
    put: 'update(cookie.subarray(0, CURSOR_BYTES / 2))'
  },
  {
    what: 'the largest frame refused',
    find: 'this.#prefix > this.#maxBytes',
    put: 'this.#prefix >= this.#maxBytes'
  },

  // network
  { what: 'a mesh in parts that is none', find: 'parts > possible', put: 'parts < possible' },
  { what: 'a cut that lasts too long', find: 'nowNs < untilNs', put: 'nowNs <= untilNs' },
  {
    what: 'a node that nobody took counts as connected',
    find: 'errors.length < dials.length',
    put: 'errors.length <= dials.length'
  },

  // stack
  {
    what: 'another peer taken for the one that was dialled',
    find: 'expected === undefined || expected === answers',
    put: 'expected === undefined || expected !== answers'
  },

  // simulated network
  { what: 'a timer of 0 ms', find: 'Math.trunc(delay) : 1) * 1e6', put: 'Math.trunc(delay) : 0) * 1e6' },
  {
    what: 'what is due at the last moment left undone',
    find: 'first.atNs <= untilNs',
    put: 'first.atNs < untilNs'
  },

  // scenarios
  { what: 'the last trouble for the first', find: 'this.error ??= error', put: 'this.error = error' },
  {
    what: 'a server that replies, called silent',
    find: 'failed === first.failed || replies > first.replies',
    put: 'failed === first.failed'
  },
  { what: 'a deaf time counted as silence', find: 'state.heardMs += deafMs', put: 'state.heardMs -= deafMs' },

  // cli
  {
    what: 'one failed threshold forgiven',
    find: 'notMet: results.some(([, result]) => listFailedThresholds(result).length > 0)',
    put: 'notMet: results.some(([, result]) => listFailedThresholds(result).length > 1)'
  },
  { what: 'arms that do not take turns', find: 'pair % 2 === 0', put: 'pair % 3 === 0' },

  // target
  {
    what: 'a server called hung while it takes what it is given',
    find: 'moved: () => void timer.refresh()',
    put: 'moved: () => {}'
  },

  // docker
  {
    what: 'ms taken for µs',
    find: 'parseFlatKeyed(cpu).usage_usec / 1e3',
    put: 'parseFlatKeyed(cpu).usage_usec / 1e6'
  },
  { what: 's taken for ms', find: 'nowMs - Created * 1000 > YOUNG_MS', put: 'nowMs - Created > YOUNG_MS' }
])
