import { fileURLToPath } from 'node:url'

/** preloading is the environment of a program whose processes load a file of tests first. @param {string} path - from here */
export const preloading = path => ({
  NODE_OPTIONS: `--import ${fileURLToPath(new URL(path, import.meta.url))}`
})
