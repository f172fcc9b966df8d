/** camelCase turns `n-clients` into `nClients` and leaves other names alone. @param {string} name */
export const camelCase = name => name.replace(/-+([a-z])/gi, (_, letter) => letter.toUpperCase())

/** PARSER is how a command line is taken apart: values stay as they were typed. */
export const PARSER = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'dot-notation': false,
  'short-option-groups': false
}

/**
 * asTyped keeps only the name that was typed: yargs gives a dashed option under its camelCase name too.
 *
 * @param {Record<string, unknown>} parsed
 * @param {string[]} argv
 */
export function asTyped({ _, $0, help, version, ...options }, argv) {
  const typed = argv.map(word => /^--?([^=]+)/.exec(word)?.[1] ?? '')
  const keys = Object.keys(options).filter(key => camelCase(key) === key || !(camelCase(key) in options))
  return Object.fromEntries(
    keys.map(key => [typed.find(name => camelCase(name) === key) ?? key, options[key]])
  )
}

/**
 * readOptionText reads options from a string, as a shell would take it apart.
 *
 * @param {string} text - `--inFlight 4 --rate 100/s`
 * @param {Readonly<Record<string, { flag?: boolean }>>} options - there are
 * @returns {Promise<{ options: Record<string, unknown>, words: string[] }>} `words`: that belong to no option
 */
export async function readOptionText(text, options) {
  const { default: yargs } = await import('yargs')
  const flags = Object.keys(options).filter(name => options[name].flag)
  const cli = yargs().parserConfiguration(PARSER).help(false).version(false).exitProcess(false).boolean(flags)
  const parsed = await cli.parseAsync(text)
  const given = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
  return { options: asTyped(/** @type {any} */ (given), text.split(/\s+/)), words: parsed._.map(String) }
}
