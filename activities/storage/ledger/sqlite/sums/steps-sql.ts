/** SQL that counts a page's answers by step and answering model. */

/** The sample of this row is the one whose call brought the reply. */
const isAsker = `(intent.page = used.page and intent.cell = used.cell and intent.step = used.step
  and intent.loop = used.loop and intent.ask = used.ask and exists (select 1 from asked
    where asked.intent = intent.id and asked.call = used.call and used.sample = intent.sample + asked.place))`;
/** Of one request: its charge is divided evenly among them. */
const repliesInUse = `(select count(*) from asked join reply as other on other.call = asked.call
  and other.intent = asked.intent where asked.intent = intent.id)`;

/**
 * A reply used by several cells counts as a sample for the cell that asked for it, and as an answer of each page.
 * @param condition on a page's number, such as `= 5`
 */
export const stepsOfPages = (condition: string): string => `
select page, step, answering_model, sum(first), sum(asks), total(case when asks then 1.0 * tokens / replies end),
  total(case when asks then usd / replies end)
from (
  select used.page as page, used.step as step, intent.answering_model as answering_model, ${isAsker} as asks,
    row_number() over (partition by used.call, used.page, used.step order by used.cell, used.loop, used.ask,
      used.sample) = 1 as first,
    ${repliesInUse} as replies, charge.tokens as tokens, charge.usd as usd
  from sample as used join reply on reply.call = used.call join intent on intent.id = reply.intent
  left join charge on charge.intent = intent.id
  where used.page ${condition}
)
group by page, step, answering_model`;
