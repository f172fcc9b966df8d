import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** NAMED_BESIDE finds what a source names beside itself, which no import shows: programs, threads, files that are read. */
export const NAMED_BESIDE = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url/g

/** sourcesIn are the paths of all sources of ours in a folder. @param {string} folder */
export const sourcesIn = async folder =>
  (await readdir(folder, { recursive: true }))
    .filter(name => name.endsWith('.js'))
    .map(name => join(folder, name))
