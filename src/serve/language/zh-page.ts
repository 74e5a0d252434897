import type { Translations } from './language.js';

/** `strata open`, and what the server says to its page. The page's own words stand in web/src/i18n. */
export const ZH_PAGE: Translations = {
  'Open the library in the browser: search, read, add, try out':
    '在浏览器中打开资料库：搜索、阅读、添加、试验',
  'Starts a server of your own on this machine and opens its page. The address works once and lets nobody else in: with it the page may also add, remove and measure. Ctrl-C ends it.':
    '在本机启动你自己的服务器并打开它的页面。该地址只能使用一次，不让其他人进入；用它打开的页面还可以添加、移除和测量。按 Ctrl-C 结束。',
  'Only print the address': '只打印地址',
  'search, read and add in the browser': '在浏览器中搜索、阅读和添加',
  'only print the address': '只打印地址',
  'Serve the library over HTTP: a page at /, agents at /mcp, programs at /api/v1':
    '通过 HTTP 提供资料库：/ 是页面，/mcp 供智能体使用，/api/v1 供程序使用',
  'serving at {1} (a page for people; agents: {2}/mcp{3})':
    '正在提供服务：{1}（供人使用的页面；智能体：{2}/mcp{3}）',
  'no browser could be started: open the address above yourself': '无法启动浏览器：请自行打开上面的地址',
  '{1}: no passage or section of {2} has this id': '{1}：{2} 中没有带此标识的段落或章节',
  '{1} is no PDF: it has no pages to draw': '{1} 不是 PDF：没有可绘制的页面',
  '{1}: the file is not there any more (or not to be read here); its text is in the library':
    '{1}：文件已不在（或此处不可读取）；其文本仍在资料库中',
  'there is no embedding model here: {1}': '这里没有嵌入模型：{1}',
  '`strata embed` fetches it': '`strata embed` 会获取它',
  'the page cannot be drawn: {1}': '无法绘制该页：{1}',
  'the PDF has {1} pages, and no page {2}': '此 PDF 共 {1} 页，没有第 {2} 页',
  "{1}: the folder for uploads leads out of the library's folder":
    '{1}：存放上传文件的文件夹指向资料库文件夹之外',
  '"{1}" is no name for a file': '“{1}”不能作为文件名',
  'no passage at point {1}: ask for the map again': '点 {1} 处没有段落：请重新获取地图',
  'give either `text` or `bytes`': '请提供 `text` 或 `bytes` 之一',
};
