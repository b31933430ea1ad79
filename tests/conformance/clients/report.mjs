// What a connected client sees, as one line of JSON.

async function every(list, key) {
  const found = [];
  let cursor;
  do {
    const page = await list(cursor ? { cursor } : undefined);
    found.push(...page[key]);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}

async function outcome(promise) {
  try {
    return await promise;
  } catch (error) {
    return { threw: error.code ?? String(error) };
  }
}

// `call` hides that the two versions of the SDK order the arguments of callTool differently.
export async function report(client, era, calls, call) {
  const seen = { era, tools: await every((page) => client.listTools(page), 'tools'), calls: [] };
  for (const [name, args] of calls) {
    const progress = [];
    const options = { onprogress: (step) => progress.push(step.progress) };
    const result = await outcome(call({ name, arguments: args }, options));
    seen.calls.push({ name, result, progress });
  }
  const capabilities = client.getServerCapabilities();
  if (capabilities.resources) {
    seen.resources = await every((page) => client.listResources(page), 'resources');
    seen.read = [];
    for (const { uri } of seen.resources) seen.read.push(await outcome(client.readResource({ uri })));
    seen.missing = await outcome(client.readResource({ uri: 'no-such:resource' }));
  }
  if (capabilities.prompts) {
    seen.prompts = await every((page) => client.listPrompts(page), 'prompts');
  }
  console.log(JSON.stringify(seen));
  await client.close();
}
