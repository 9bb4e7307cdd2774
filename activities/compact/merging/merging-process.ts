/** A process that merges parts: the memory that this takes is given back when it ends. */
import { answerOrders } from '../../apart/answer-orders.ts';
import { mergedFile, type MergeOrder } from './merge-order.ts';

answerOrders(async function* (order: MergeOrder) {
  yield mergedFile(order);
});
