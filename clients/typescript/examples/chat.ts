import { ChatSocket } from '@toolgate/client';

const chat = await ChatSocket.connect();
let text = '';
for await (const event of chat.send({ provider: 'openai', model: 'gpt-5', content: 'Hello', api_key: 'sk-of-the-user' })) {
  switch (event.type) {
    case 'chat:text-delta':
      text += event.payload.content;
      break;
    case 'chat:tool-confirm':
      chat.approve(event.payload, false, { reason: 'not in an example' });
      break;
    case 'chat:stream-end':
      console.log(`${text} (${event.payload.stop_reason})`);
  }
}
chat.close();

/* Prints:
Hello, you. (finished)
*/
