/**
 * preloaded does something whose processes load a module first, with a variable that it reads.
 *
 * @template T
 * @param {URL} module
 * @param {readonly [name: string, value: string]} variable
 * @param {() => Promise<T>} run
 */
export async function preloaded(module, [name, value], run) {
  const before = process.env.NODE_OPTIONS
  process.env.NODE_OPTIONS = `${before ?? ''} --import ${module.href}`
  process.env[name] = value
  try {
    return await run()
  } finally {
    delete process.env[name]
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
  }
}
