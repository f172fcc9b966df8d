// JSON Schema of the part of a result about Linux network namespaces: links as planned and as measured, router.
import { z } from 'zod'
import { count, figure, number, summary, text } from '../report/schema.js'

/** namespacesSchema describes the links of a network of namespaces, as planned and as measured, with their router. */
export const namespacesSchema = z
  .looseObject({
    step: text.describe('of the ladder, that was taken: router, of packets between TUN devices'),
    ladder: z
      .array(z.looseObject({ step: text, lacks: text.nullable(), passedOver: text.nullable() }))
      .optional()
      .describe('what was tried, from the top: what it lacks here, or why it was not taken'),
    netem: text.nullable().describe('why the kernel itself could not delay and lose packets; null: it could'),
    congestionControl: z.looseObject({ asked: text.nullable(), found: text }),
    links: z
      .array(
        z.looseObject({
          // kind of link
          what: text,
          from: count,
          to: count,
          // foundMs: median; null: nothing came back
          roundTrip: z.looseObject({ askedMs: number, foundMs: figure, asAsked: z.boolean() }),
          // null: not measured on this link
          loss: z
            .looseObject({ asked: number, found: number, packets: count, asAsked: z.boolean() })
            .nullable()
            .describe('shares of the packets in both directions'),
          // null: none was asked for, or not measured on this link
          rate: z
            .looseObject({ asked: number, found: figure, asAsked: z.boolean() })
            .nullable()
            .describe('bytes a second')
        })
      )
      .describe('measured with segments of TCP before there were nodes'),
    router: z
      .looseObject({
        packets: count,
        bytes: number,
        lost: count.describe('as planned'),
        cut: count.describe('in partitions'),
        overflowed: count.describe('for which there was no room'),
        packetsPerSecond: figure,
        cpuMicrosPerPacket: figure,
        waitedShare: figure
          .optional()
          .describe(
            'of the time, in which what reads packets waited for a core: that is no part of lateness'
          ),
        lateness: summary.describe('handed to its node after it was due')
      })
      .nullable()
      .describe('since it is measured'),
    lateAllowedMs: number.describe('at p99; later than that, links were slower than asked'),
    dropped: count.describe('packets that left their namespace in vain')
  })
  .describe('of nodes in network namespaces')
