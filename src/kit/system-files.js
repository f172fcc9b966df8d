import { readFileSync } from 'node:fs'

/** textOf gives a file of the system's, or nothing where it cannot be read. @param {string} path */
export function textOf(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** flatKeyed reads a file of a control group that has a key and a number a line. @param {string} text @returns {Record<string, number>} */
export const flatKeyed = text =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => line.split(' '))
      .map(([key, value]) => [key, Number(value)])
  )
