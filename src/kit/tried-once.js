/**
 * triedOnce makes a trial of what this machine can do once where it went well: it starts processes, and each plan of a network asks for it.
 * What is lacking may come meanwhile, and is tried anew.
 *
 * @param {() => string | null} trial - says what is lacking; null: nothing
 * @param {() => string | undefined} where - what it depends on, such as where commands are looked for
 * @returns {() => string | null}
 */
export function triedOnce(trial, where) {
  /** @type {Set<string | undefined>} */
  const went = new Set()
  return () => {
    const place = where()
    if (went.has(place)) return null
    const lack = trial()
    if (lack === null) went.add(place)
    return lack
  }
}
