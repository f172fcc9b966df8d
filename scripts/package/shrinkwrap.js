/**
 * @typedef {object} Locked - a package in a lock file, as far as it matters here
 * @property {boolean} [dev]
 * @property {boolean} [hasInstallScript]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 *
 * @typedef {{ name: string, version: string, lockfileVersion: number, requires: boolean, packages: Record<string, Locked> }} Lock
 */

/**
 * Packages whose install scripts do nothing that is used here: protobufjs looks at how its version is written, ssh2 compiles what makes
 * Docker over SSH faster, and cpu-features what helps ssh2 with that. npm neither runs them nor asks about them then.
 */
const NEEDS_NO_SCRIPT = new Set(['protobufjs', 'ssh2'])
const LEFT_OUT = new Set(['cpu-features', 'buildcheck'])

/** @param {string} path - of a package, `node_modules/a/node_modules/@b/c` */
const nameOf = path => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * shrinkwrapOf is the lock of the published package: that of the project without what only its development needs.
 *
 * @param {Lock} lock
 * @returns {Lock}
 */
export function shrinkwrapOf({ packages, ...lock }) {
  const kept = Object.entries(packages).flatMap(([path, locked]) => {
    if (locked.dev || LEFT_OUT.has(nameOf(path))) return []
    return [/** @type {const} */ ([path, path === '' ? withoutDev(locked) : asUsed(nameOf(path), locked)])]
  })
  return { ...lock, packages: Object.fromEntries(kept) }
}

/** @param {Locked} project @returns {Locked} */
const withoutDev = ({ devDependencies: _, ...project }) => project

/** @param {string} name @param {Locked} locked @returns {Locked} */
function asUsed(name, { hasInstallScript, optionalDependencies = {}, ...locked }) {
  const optional = Object.entries(optionalDependencies).filter(([each]) => !LEFT_OUT.has(each))
  return {
    ...locked,
    ...(hasInstallScript && !NEEDS_NO_SCRIPT.has(name) && { hasInstallScript }),
    ...(optional.length > 0 && { optionalDependencies: Object.fromEntries(optional) })
  }
}
