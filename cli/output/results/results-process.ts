/** A process that makes the results of one large run: in the command they would add to what the run left there. */
import { answerOrders } from '../../../activities/apart/answer-orders.ts';
import { madeResults, type ResultsOrder } from './made-results.ts';

answerOrders(async function* (order: ResultsOrder) {
  yield await madeResults(order);
});
