// As Sabaki speaks with an engine: its own library (npm install @sabaki/gtp), and what it asks.
const {Controller, ControllerStateTracker, Command} = require('@sabaki/gtp')
const [program, ...args] = process.argv.slice(2)
const controller = new Controller(program, args)
const tracker = new ControllerStateTracker(controller)
const said = {}
const wait = ms => new Promise(done => setTimeout(done, ms))
async function analysed(command, ms) {
  const lines = []
  const answer = controller.sendCommand(Command.fromString(command), ({line}) => lines.push(line))
  await wait(ms)
  await controller.sendCommand({name: 'protocol_version'})
  await answer
  return lines.filter(line => line.startsWith('info '))
}
async function main() {
  controller.start()
  for (const name of ['name', 'version', 'protocol_version', 'list_commands'])
    said[name] = (await controller.sendCommand({name})).content
  const history = [['B', 'E5'], ['W', 'C3'], ['B', 'G7']].map(args => ({name: 'play', args}))
  await tracker.sync({komi: 7.5, boardsize: [9, 9], history})
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: history.slice(0, 2)})
  said.board = (await controller.sendCommand({name: 'showboard'})).content
  said.analyze = await analysed('lz-analyze B 10', 600)
  said.kata = await analysed('kata-analyze B 10 ownership true', 600)
  await controller.sendCommand(Command.fromString('time_settings 60 5 1'))
  await controller.sendCommand(Command.fromString('time_left B 60 0'))
  said.move = (await tracker.queueCommand({name: 'genmove', args: ['B']})).content
  said.history = tracker.state.history
  const handicap = [{name: 'set_free_handicap', args: ['C3', 'G7']}, {name: 'play', args: ['W', 'E5']}]
  await tracker.sync({komi: 0.5, boardsize: [9, 9], history: handicap})
  said.handicap = (await controller.sendCommand({name: 'showboard'})).content
  said.dead = (await controller.sendCommand(Command.fromString('final_status_list dead'))).content
  said.score = (await controller.sendCommand({name: 'final_score'})).content
  await controller.stop()
  console.log(JSON.stringify(said))
}
main().catch(error => { console.error(error); process.exit(1) })
