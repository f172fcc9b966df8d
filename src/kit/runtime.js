// Read by whatever starts the program: no syntax here, or in index.js, is newer than ECMAScript 2020, and nothing is imported.

const LEAST = { major: 20, minor: 19 }

/** @param {Readonly<Record<string, string | undefined>>} versions */
function nameOf(versions) {
  if (versions.bun !== undefined) return `Bun ${versions.bun}`
  if (versions.deno !== undefined) return `Deno ${versions.deno}`
  return `Node ${versions.node}`
}

/** @param {string} version */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > LEAST.major || (major === LEAST.major && minor >= LEAST.minor)
}

/**
 * runtimeProblem says in a line that the program does not run on what it was started with.
 *
 * @param {Readonly<Record<string, string | undefined>>} versions - as in `process.versions`
 * @returns {string | null} null: it does
 */
export function runtimeProblem(versions) {
  const name = nameOf(versions)
  if (name.startsWith('Node ') && isNewEnough(String(versions.node))) return null
  return `libp2p-loadtest needs Node ${LEAST.major}.${LEAST.minor} or newer, this is ${name}`
}
