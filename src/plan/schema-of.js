import { z } from 'zod'
import * as addresses from './addresses.js'

/** @typedef {import('./values.js').Kind} Kind */

/** Kinds are spread into options: what stays the same is how their schema is made. @type {WeakMap<Kind['schema'], import('zod').ZodType>} */
const made = new WeakMap()

/**
 * schemaOf gives the schema of an option's values. Tables of options load without zod: making its schemas takes longer than all
 * else that --help does.
 *
 * @param {Pick<Kind, 'schema'>} kind
 * @returns {import('zod').ZodType}
 */
export function schemaOf({ schema }) {
  const known = made.get(schema) ?? schema(z, addresses)
  made.set(schema, known)
  return known
}

/** What is no object is the same for all plans, and lists of plans ask for each default once each. @type {WeakMap<object, unknown>} */
const plain = new WeakMap()

/**
 * defaultOf gives an option's default in the plan's unit; undefined: it has none.
 *
 * @param {Readonly<import('./option.js').Option>} option
 * @returns {any}
 */
export function defaultOf(option) {
  if (plain.has(option)) return plain.get(option)
  const value = schemaOf(option).safeParse(option.default).data
  if (typeof value !== 'object') plain.set(option, value)
  return value
}
